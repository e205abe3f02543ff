/** @jest-environment node */
import { instantOf, localText } from './zonedTime';

test.each([
  ['2026-01-15T09:30', 'Europe/Berlin', '2026-01-15T08:30:00.000Z'],
  ['2026-07-15T09:30', 'Europe/Berlin', '2026-07-15T07:30:00.000Z'],
  ['2026-07-15T00:15', 'America/New_York', '2026-07-15T04:15:00.000Z'],
  ['2026-11-22T00:00', 'Asia/Kolkata', '2026-11-21T18:30:00.000Z'],
  ['2026-12-31T23:59', 'UTC', '2026-12-31T23:59:00.000Z'],
])('%s in %s is %s', (text, zone, instant) => {
  expect(instantOf(text, zone)).toBe(instant);
  expect(localText(instant, zone)).toBe(text);
});

test('a time that clocks skip is taken as later, of one that they show twice the first is meant', () => {
  expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(instantOf('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
});

test.each(['', 'tomorrow', '2026-13-01T00:00'])('%j is no time', (text) => {
  expect(instantOf(text, 'UTC')).toBeNull();
});
