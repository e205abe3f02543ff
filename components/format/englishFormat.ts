/**
 * English numbers and dates without Intl. A browser's first Intl object loads its locale data, about 30 ms on a phone
 * before the page responds; most shops do not need it. Locales that are not listed here use Intl (format.ts);
 * englishFormat.test.ts checks that both give the same text.
 */
export type PlainFormat = {
  money: (minor: number) => string;
  count: (value: number) => string;
  rating: (value: number) => string;
  date: (iso: string) => string;
};

const SYMBOLS: Record<string, string> = {
  'en-US USD': '$',
  'en-US EUR': '€',
  'en-US GBP': '£',
  'en-GB GBP': '£',
  'en-GB EUR': '€',
};

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Null for a locale that is not listed here. */
export function englishFormat(locale: string, currency: string): PlainFormat | null {
  const symbol = SYMBOLS[`${locale} ${currency}`];
  if (symbol === undefined) return null;
  return {
    money: (minor) => {
      const cents = Math.abs(minor);
      const amount = `${symbol}${grouped(Math.floor(cents / 100))}.${padded(cents % 100)}`;
      return minor < 0 ? `-${amount}` : amount;
    },
    count: (value) => grouped(Math.round(value)),
    rating: (value) => (Math.round(value * 10) / 10).toFixed(1),
    date: locale === 'en-GB' ? (iso) => dated(iso, 'day') : (iso) => dated(iso, 'month'),
  };
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function padded(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function dated(iso: string, first: 'day' | 'month'): string {
  const at = new Date(iso);
  const [day, month, year] = [at.getUTCDate(), MONTHS[at.getUTCMonth()], at.getUTCFullYear()];
  return first === 'day' ? `${day} ${month} ${year}` : `${month} ${day}, ${year}`;
}
