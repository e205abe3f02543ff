import agreement from '../../tests/agreements/contact.json';
import { failureText, LIMITS, problemsOf, SHORTEST_MESSAGE, tooManyText } from './contactRules';

test.each(agreement.both)('host and browser ask for the same: $name', ({ values, errors }) => {
  expect(problemsOf(values)).toEqual(errors);
});

test('the limits are those that were agreed', () => {
  expect([LIMITS, SHORTEST_MESSAGE]).toEqual([agreement.lengths, agreement.shortest_message]);
});

test.each(agreement.too_many)('host and browser say the same beyond the limit: $name', (agreed) => {
  expect(tooManyText(agreed.retry_after_s)).toBe(agreed.text);
});

test.each([
  [403, 'This call can only be made from the site itself.', /^This call can only be made/],
  [503, 'Down.', /write to hello@example\.org/],
  [0, '', /Check your connection/],
  [null, '', /nothing you typed is lost/],
])('status %p is told with a way on', (status, detail, text) => {
  expect(failureText(status, detail, 'hello@example.org')).toMatch(text);
});
