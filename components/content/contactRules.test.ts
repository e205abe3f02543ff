/** @jest-environment node */
import agreement from '../../contracts/cases/contact.json';
import { ApiProblem } from '../api/client';
import { contactErrors, failureText, LIMITS, MIN_MESSAGE_LENGTH, tooManyText } from './contactRules';

test.each(agreement.both)('host and browser validate alike: $name', ({ values, errors }) => {
  expect(contactErrors(values)).toEqual(errors);
});

test('the limits are those that were agreed', () => {
  expect([LIMITS, MIN_MESSAGE_LENGTH]).toEqual([agreement.lengths, agreement.shortest_message]);
});

test.each(agreement.too_many)('host and browser have the same message beyond the limit: $name', (agreed) => {
  expect(tooManyText(agreed.retry_after_s)).toBe(agreed.text);
});

test.each([
  [403, 'This call can only be made from the site itself.', /^This call can only be made/],
  [503, 'Down.', /write to hello@example\.org/],
  [0, '', /Check your connection/],
  [500, '', /nothing you typed is lost/],
])('status %p has a message that says what to do', (status, detail, text) => {
  const problem = new ApiProblem({ status, title: 'No', detail });
  expect(failureText(problem, 'hello@example.org')).toMatch(text);
});
