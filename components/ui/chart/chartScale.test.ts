/** @jest-environment node */
import { niceScale } from './chartScale';

test.each([
  ['small counts', [0, 3], 1, [0, 1, 2, 3]],
  ['a count of one', [1], 1, [0, 1]],
  ['counts between ticks', [12, 81], 1, [0, 25, 50, 75, 100]],
  ['large counts', [980_000], 1, [0, 250_000, 500_000, 750_000, 1_000_000]],
  ['money in cents', [3], 100, [0, 1, 2, 3]],
  [100, [123_456], 100, [0, 50_000, 100_000, 150_000]],
  ['values below zero alone', [-7, -2], 1, [-8, -6, -4, -2, 0]],
  ['values on both sides of zero', [-920, 12_400], 1, [-5000, 0, 5000, 10_000, 15_000]],
  [10, [7, 81], 10, [0, 25, 50, 75, 100]],
  ['counts that are all zero', [0, 0], 1, [0, 1]],
  ['money that is all zero', [0], 100, [0, 25, 50, 75, 100]],
  ['yen that are all zero', [0], 1, [0, 1]],
  ['no values', [], 1, [0, 1]],
] as const)('%s get round ticks around zero', (_, values, zeroHeight, ticks) => {
  expect(niceScale(values, zeroHeight)).toEqual({ low: ticks[0], high: ticks.at(-1), ticks });
});
