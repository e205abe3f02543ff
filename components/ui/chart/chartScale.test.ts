/** @jest-environment node */
import { niceScale } from './chartScale';

test.each([
  ['small counts', [0, 3], 'count', [0, 1, 2, 3]],
  ['a count of one', [1], 'count', [0, 1]],
  ['counts between ticks', [12, 81], 'count', [0, 25, 50, 75, 100]],
  ['large counts', [980_000], 'count', [0, 250_000, 500_000, 750_000, 1_000_000]],
  ['money in cents', [3], 'money', [0, 1, 2, 3]],
  ['money', [123_456], 'money', [0, 50_000, 100_000, 150_000]],
  ['values below zero alone', [-7, -2], 'count', [-8, -6, -4, -2, 0]],
  ['values on both sides of zero', [-920, 12_400], 'count', [-5000, 0, 5000, 10_000, 15_000]],
  ['percent', [7, 81], 'percent', [0, 25, 50, 75, 100]],
  ['counts that are all zero', [0, 0], 'count', [0, 1]],
  ['money that is all zero', [0], 'money', [0, 25, 50, 75, 100]],
  ['no values', [], 'count', [0, 1]],
] as const)('%s get round ticks around zero', (_, values, unit, ticks) => {
  expect(niceScale(values, unit)).toEqual({ low: ticks[0], high: ticks.at(-1), ticks });
});
