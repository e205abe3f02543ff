/** @jest-environment node */
import agreement from '../../contracts/cases/money.json';
import { majorOf, minorOf } from './money';

test.each(agreement.rounding.filter(({ amount }) => Number(amount) >= 0))('$name', ({ amount, minor }) => {
  expect(minorOf(Number(amount))).toBe(minor);
});

test.each(agreement.minor)('$name goes out and comes back', ({ minor }) => {
  expect(minorOf(majorOf(minor))).toBe(minor);
});

test.each([-0.01, Number.NaN, 1e11, '1e3', '', ' 1', null, true, [1]])('%p is no amount', (value) => {
  expect(minorOf(value)).toBeNull();
});
