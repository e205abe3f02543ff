/** @jest-environment node */
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
  expect(minorOfText(text, locale)).toBe(minor);
});

test.each(['en-US', 'de-DE', 'fr-FR', 'de-CH'])(
  'what the field shows in %s is read as the same amount',
  (locale) => {
    for (const minor of [0, 5, 99, 4900, 123_456, 1_234_567_89])
      expect(minorOfText(amountText(minor, locale), locale)).toBe(minor);
  },
);

test('the symbol is that of the currency', () => {
  expect([currencySymbol('USD', 'en-US'), currencySymbol('EUR', 'de-DE')]).toEqual(['$', '€']);
});
