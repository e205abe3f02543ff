/**
 * English numbers and dates without Intl. A browser's first Intl object loads its locale data, about 30 ms on a phone
 * before the page responds; most shops do not need it. Locales that are not listed here use Intl (format.ts);
 * englishFormat.test.ts checks that both give the same text.
 */
import type { CurrencyProps } from '../contracts/schema';

export type PlainFormat = {
  money: (minor: number) => string;
  count: (value: number) => string;
  percent: (percent: string) => string;
  rating: (value: number) => string;
  date: (iso: string) => string;
};

const SYMBOLS: Record<string, string> = {
  'en-US USD': '$',
  'en-US EUR': '€',
  'en-US GBP': '£',
  'en-GB GBP': '£',
  'en-GB EUR': '€',
  'en-US JPY': '¥',
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
export function englishFormat(locale: string, { code, exponent }: CurrencyProps): PlainFormat | null {
  const symbol = SYMBOLS[`${locale} ${code}`];
  if (symbol === undefined) return null;
  return {
    money: (minor) => {
      const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
      const point = digits.length - exponent;
      const fraction = exponent ? `.${digits.slice(point)}` : '';
      return `${minor < 0 ? '-' : ''}${symbol}${grouped(digits.slice(0, point))}${fraction}`;
    },
    count: (value) => grouped(String(Math.round(value))),
    percent: (percent) => `${Math.round(Number(percent) * 1000) / 1000}%`,
    rating: (value) => (Math.round(value * 10) / 10).toFixed(1),
    date: locale === 'en-GB' ? (iso) => dated(iso, 'day') : (iso) => dated(iso, 'month'),
  };
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function dated(iso: string, first: 'day' | 'month'): string {
  const at = new Date(iso);
  const [day, month, year] = [at.getUTCDate(), MONTHS[at.getUTCMonth()], at.getUTCFullYear()];
  return first === 'day' ? `${day} ${month} ${year}` : `${month} ${day}, ${year}`;
}
