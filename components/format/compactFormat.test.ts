/** @jest-environment node */
import { shopFormat } from '../fixtures/shopFormat';
import { compactFormatOf } from './compactFormat';

const english = compactFormatOf(shopFormat('en-US', 'USD'));
const german = compactFormatOf(shopFormat('de-DE', 'EUR'));
const yen = compactFormatOf(shopFormat('en-US', 'JPY'));
const dinars = compactFormatOf(shopFormat('en-US', 'KWD'));
const nbsp = '\u00a0';

test.each([
  ['a day', english.day('2026-03-04'), 'Mar 4, 2026'],
  ['a day of another locale', german.day('2026-03-04'), '4. März 2026'],
  ['a day of the year', english.dayOfYear('2026-03-04'), 'Mar 4'],
  ['a month', english.month('2026-03'), 'Mar 2026'],
  ['a month of the year', english.monthOfYear('2026-03'), 'Mar'],
  ['a moment, in UTC', english.time('2026-03-04T23:05:00+02:00'), 'Mar 4, 2026, 21:05'],
  ['midnight', english.time('2026-03-04T00:00:00Z'), 'Mar 4, 2026, 00:00'],
  ['whole money', english.money(120_000), '$1,200'],
  ['money with cents', english.money(25), '$0.25'],
  ['much money', english.money(1_240_000), '$12.4K'],
  ['much whole money, as Node and browsers write it', english.money(-1_000_000), '-$10K'],
  ['money of another locale', german.money(120_050), `1.200,50${nbsp}€`],
  ['yen', yen.money(1200), '¥1,200'],
  ['dinars and fils', dinars.money(1_230), `KWD${nbsp}1.230`],
  ['whole dinars', dinars.money(12_000), `KWD${nbsp}12`],
  ['a number', english.count(9500), '9,500'],
  ['a large number', english.count(1_250_000), '1.3M'],
  ['a number that is rounded to the next word', english.count(999_960), '1M'],
  ['a share', english.count(12.3456), '12.346'],
])('%s is short', (_, text, expected) => {
  expect(text).toBe(expected);
});
