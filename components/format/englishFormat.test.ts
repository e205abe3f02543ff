/** @jest-environment node */
import { currencyOf } from '../fixtures/currencies';
import { englishFormat } from './englishFormat';

const SHOPS = [
  ['en-US', 'USD'],
  ['en-US', 'EUR'],
  ['en-US', 'GBP'],
  ['en-GB', 'GBP'],
  ['en-GB', 'EUR'],
  ['en-US', 'JPY'],
] as const;
const AMOUNTS = [0, 1, 9, 10, 99, 100, 999, 4900, 99_999, 100_000, 123_456_789, 9_999_999_999, -1, -4900];
const COUNTS = [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 179_909, 4_294_967_296];

function known(locale: string, currency: string) {
  const format = englishFormat(locale, currencyOf(currency));
  if (!format) throw new Error(`${locale} ${currency} is not known`);
  return format;
}

test.each(SHOPS)('amounts in %s and %s are those of Intl', (locale, currency) => {
  const intl = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const { money } = known(locale, currency);
  expect(AMOUNTS.map(money)).toEqual(
    AMOUNTS.map((minor) => intl.format(minor / 10 ** currencyOf(currency).exponent)),
  );
});

test.each(SHOPS)('counts in %s and %s are those of Intl', (locale, currency) => {
  const intl = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  expect(COUNTS.map(known(locale, currency).count)).toEqual(COUNTS.map((value) => intl.format(value)));
});

test('every rating of two decimals reads as in Intl', () => {
  const intl = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const ratings = Array.from({ length: 501 }, (_, index) => index / 100);
  expect(ratings.map(known('en-US', 'USD').rating)).toEqual(ratings.map((value) => intl.format(value)));
});

test.each(SHOPS)('every day of a year in %s reads as in Intl (%s)', (locale, currency) => {
  const intl = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const days = Array.from({ length: 366 }, (_, day) =>
    new Date(Date.UTC(2028, 0, 1 + day, 23, 30)).toISOString(),
  );
  expect(days.map(known(locale, currency).date)).toEqual(days.map((iso) => intl.format(new Date(iso))));
});

test('a shop of other conventions is left to Intl', () => {
  expect([
    englishFormat('de-DE', currencyOf('EUR')),
    englishFormat('en-US', currencyOf('KWD')),
    englishFormat('en-IN', currencyOf('INR')),
  ]).toEqual([null, null, null]);
});
