/** @jest-environment node */
import agreement from '../../contracts/cases/money.json';
import { currencyOf, JPY, KWD, USD } from '../fixtures/currencies';
import { majorOf, minorOf } from './money';

test.each(agreement.rounding.filter(({ amount }) => Number(amount) >= 0))(
  '$name',
  ({ amount, currency, minor }) => {
    expect(minorOf(Number(amount), currencyOf(currency))).toBe(minor);
  },
);

test.each(agreement.minor)('$name goes out and comes back', ({ currency, minor }) => {
  const used = currencyOf(currency);
  expect(minorOf(majorOf(minor, used), used)).toBe(minor);
});

test.each([-0.01, Number.NaN, 1e11, '1e3', '', ' 1', null, true, [1]])('%p is no amount', (value) => {
  expect([USD, JPY, KWD].map((currency) => minorOf(value, currency))).toEqual([null, null, null]);
});
