import { unsentVisits } from './unsentVisits';

beforeEach(() => window.localStorage.clear());

test('stored visits are returned oldest first, until they are removed', () => {
  jest.useFakeTimers();
  unsentVisits.save('b', { EventID: 'b' });
  jest.advanceTimersByTime(1);
  unsentVisits.save('a', { EventID: 'a' });
  jest.useRealTimers();
  expect(unsentVisits.all()).toEqual([{ EventID: 'b' }, { EventID: 'a' }]);
  unsentVisits.remove('b');
  expect(unsentVisits.all()).toEqual([{ EventID: 'a' }]);
});

test.each([
  '',
  'abc',
  '7',
  'null',
  '{}',
  '{"at":"x","visit":{"EventID":"a"}}',
  '{"at":1,"visit":7}',
  '{"at":1,"visit":{}}',
])('the entry %p is thrown away', (entry) => {
  window.localStorage.setItem('unsent_visit:x', entry);
  expect([unsentVisits.all(), window.localStorage.length]).toEqual([[], 0]);
});

test("another script's entries are left alone", () => {
  window.localStorage.setItem('cart_products', '[]');
  expect(unsentVisits.all()).toEqual([]);
  unsentVisits.save('a', { EventID: 'a' });
  unsentVisits.remove('a');
  expect(window.localStorage.getItem('cart_products')).toBe('[]');
});
