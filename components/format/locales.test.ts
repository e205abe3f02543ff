/** @jest-environment node */
import table from '../../contracts/cases/locales.json';
import typed from '../../contracts/cases/typed-numbers.json';
import { AMERICAN } from '../fixtures/americanForms';
import { shopFormat } from '../fixtures/shopFormat';
import { amountText, minorOfText, plainNumber } from '../forms/moneyText';
import { compactFormatOf } from './compactFormat';
import { clockText, momentText } from './dateTime';
import { formatOf } from './format';

const withCurrency = (locale: string, code: string, exponent: number) => ({
  ...shopFormat(locale, code),
  currency: { code, exponent: exponent as 0 | 2 | 3, quantum: 1 as const },
});

const minuteOf = (time: string) => new Date(time).getUTCHours() * 60 + new Date(time).getUTCMinutes();

/** Without the signs around texts of scripts that are read from the right. */
const bare = (texts: string[]) => texts.map((text) => text.replace(/[\u2068\u2069]/g, ''));

describe('a page writes what Intl does', () => {
  test.each(table.rows)('in $locale', ({ locale, ...texts }) => {
    const shop = shopFormat(locale, 'USD');
    const format = formatOf(shop);
    const short = compactFormatOf(shop);
    expect({
      counts: bare(table.counts.map(format.count)),
      percents: bare(table.percents.map(format.percent)),
      ratings: bare([4.6, 5].map(format.rating)),
      days: bare(table.times.map(format.date)),
      clocks: table.times.map((time) => clockText(minuteOf(time), shop.forms.time, shop.forms)),
      durations: bare(table.minutes.map(format.duration)),
      moments: bare(table.times.map((time) => momentText(Date.parse(time), shop.forms))),
      shortDays: bare(table.times.map(short.day)),
      shortCounts: bare(table.shortCounts.map(short.count)),
      amounts: table.minor.map((minor) => amountText(minor, shop)),
      money: texts.money.map(({ currency, exponent }) => {
        const { money } = formatOf(withCurrency(locale, currency, exponent));
        return { currency, exponent, texts: bare(table.minor.map(money)) };
      }),
    }).toEqual(texts);
  });
});

test.each(table.rows)('a field reads the amounts that it shows in $locale', ({ locale, money }) => {
  for (const { currency, exponent } of money) {
    const site = withCurrency(locale, currency, exponent);
    const amounts = table.minor.filter((minor) => minor >= 0);
    expect(amounts.map((minor) => minorOfText(amountText(minor, site), site))).toEqual(amounts);
  }
});

test.each(typed.cases)('$text in $locale is $plain', ({ locale, text, plain }) => {
  expect(plainNumber(text, shopFormat(locale, 'USD').forms)).toBe(plain);
});

test.each([
  ['ar-EG', '\u2068٤٫٤\u2069 (\u2068٧\u2069)'],
  ['fa-IR', '\u2068۴٫۴\u2069 (\u2068۷\u2069)'],
  ['de-DE', '4,4 (7)'],
])('a rating and its count keep their places in %s', (locale, text) => {
  const format = formatOf(shopFormat(locale, 'USD'));
  expect(`${format.rating(4.4)} (${format.count(7)})`).toBe(text);
});

test('the fixtures know an American shop as its pages do', () => {
  expect(AMERICAN).toEqual(shopFormat('en-US', 'USD').forms);
});
