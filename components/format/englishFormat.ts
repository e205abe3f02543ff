/**
 * English numbers and dates, written out. A browser's first Intl object loads its library of all the world's
 * conventions, about 30 ms of a phone's time before the page answers; most shops need none of it. Whatever is not
 * listed here goes through Intl (format.ts), and english.test.ts holds both to the same text.
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

/** Null where the conventions are not among those known here. */
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
