import { reloadOnce } from './reload';

const logged = jest.fn();

beforeEach(() => {
  jest.useFakeTimers();
  window.sessionStorage.clear();
  // jsdom cannot reload and logs an error: counting those counts the reloads.
  logged.mockReset();
  jest.spyOn(console, 'error').mockImplementation(logged);
});

afterEach(() => jest.useRealTimers());

test('the first failure reloads', () => {
  expect(reloadOnce()).toBe(true);
  expect(logged).toHaveBeenCalledTimes(1);
  expect(String(logged.mock.calls[0]?.[0])).toContain('navigation');
});

test('a second one within 10 s does not', () => {
  reloadOnce();
  jest.advanceTimersByTime(9_999);
  expect(reloadOnce()).toBe(false);
  expect(logged).toHaveBeenCalledTimes(1);
});

test('after 10 s it may again', () => {
  reloadOnce();
  jest.advanceTimersByTime(10_000);
  expect(reloadOnce()).toBe(true);
  expect(logged).toHaveBeenCalledTimes(2);
});

test('offline it does not: the page would be lost', () => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(reloadOnce()).toBe(false);
  expect(logged).not.toHaveBeenCalled();
});

test('with storage refused it never does: it could loop', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  expect(reloadOnce()).toBe(false);
  expect(logged).not.toHaveBeenCalled();
});

test('a memory that is no time is no reason to stay broken', () => {
  window.sessionStorage.setItem('last_chunk_reload', 'abc');
  expect(reloadOnce()).toBe(true);
});
