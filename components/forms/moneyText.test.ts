/** @jest-environment node */
import { shopFormat } from '../fixtures/shopFormat';
import { currencySymbol, minorOfText } from './moneyText';

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
  expect(minorOfText(text, shopFormat(locale, 'USD'))).toBe(minor);
});

test.each([
  ['1,290', 'JPY', 1290],
  ['1290.5', 'JPY', null],
  ['1.23', 'KWD', 1230],
  ['1.230', 'KWD', 1230],
  ['1.235', 'KWD', null],
])('%j in %p is %p minor units', (text, currency, minor) => {
  expect(minorOfText(text, shopFormat('en-US', currency))).toBe(minor);
});

test('the symbol is that of the currency', () => {
  const shops = [
    shopFormat('en-US', 'USD'),
    shopFormat('de-DE', 'EUR'),
    shopFormat('en-US', 'KWD'),
    shopFormat('ar-EG', 'EGP'),
  ];
  expect(shops.map(currencySymbol)).toEqual(['$', '€', 'KWD', 'ج.م.']);
});
