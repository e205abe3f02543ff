/** @jest-environment node */
import { EUR, JPY, KWD, USD } from '../fixtures/currencies';
import { amountText, currencySymbol, minorOfText } from './moneyText';

test.each([
  ['49', 'en-US', 4900],
  ['49.5', 'en-US', 4950],
  ['1,234.50', 'en-US', 123450],
  [' 1234.50 ', 'en-US', 123450],
  ['1.234,50', 'de-DE', 123450],
  ['0,99', 'de-DE', 99],
  ['', 'en-US', null],
  ['12.345', 'en-US', null],
  ['1,23', 'en-US', null],
  ['1.234.5', 'en-US', null],
  ['-5', 'en-US', null],
  ['free', 'en-US', null],
  ['1e9', 'en-US', null],
  ['9999999999', 'en-US', null],
])('%j in %s is %p minor units', (text, locale, minor) => {
  expect(minorOfText(text, locale, USD)).toBe(minor);
});

test.each([
  ['1,290', JPY, 1290],
  ['1290.5', JPY, null],
  ['1.23', KWD, 1230],
  ['1.230', KWD, 1230],
  ['1.235', KWD, null],
])('%j in %p is %p minor units', (text, currency, minor) => {
  expect(minorOfText(text, 'en-US', currency)).toBe(minor);
});

test.each(['en-US', 'de-DE', 'fr-FR', 'de-CH'])(
  'what the field shows in %s is read as the same amount',
  (locale) => {
    for (const minor of [0, 50, 990, 4900, 123_450, 1_234_567_80])
      for (const used of [USD, JPY, KWD])
        expect(minorOfText(amountText(minor, locale, used), locale, used)).toBe(minor);
  },
);

test('the symbol is that of the currency', () => {
  expect([currencySymbol(USD, 'en-US'), currencySymbol(EUR, 'de-DE')]).toEqual(['$', '€']);
});
