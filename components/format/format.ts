import type { CourseProps, CurrencyProps, ItemProps, SiteProps } from '../contracts/schema';
import { englishFormat, type PlainFormat } from './englishFormat';

/** Formats values in the shop's locale and currency. Created once per shop, passed down as a prop. */
export type Format = {
  /** Integer minor units, "$49.00". */
  money: (minor: number) => string;
  /** Like money, but "Free" for 0. */
  price: (minor: number) => string;
  count: (value: number) => string;
  /** Decimal text with at most three decimals, "9.975%". */
  percent: (percent: string) => string;
  /** One decimal, "4.6". */
  rating: (value: number) => string;
  /** Whole minutes, "6 h 30 min" with spaces that do not break. */
  duration: (minutes: number) => string;
  /** An ISO time as a day in UTC, "March 4, 2026". */
  date: (iso: string) => string;
};

export const LEVELS: Record<CourseProps['level'], string> = {
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
  all: 'All levels',
};

export const ITEM_KINDS: Record<ItemProps['itemKind'], string> = {
  book: 'Book',
  voucher: 'Exam voucher',
  bundle: 'Bundle',
  physical: 'Equipment',
};

const NBSP = '\u00a0';
const cache = new Map<string, Format>();

export function formatOf({ locale, currency }: Pick<SiteProps, 'locale' | 'currency'>): Format {
  const key = `${locale} ${currency.code}`;
  let format = cache.get(key);
  if (!format) {
    format = makeFormat(locale, currency);
    cache.set(key, format);
  }
  return format;
}

function makeFormat(locale: string, currency: CurrencyProps): Format {
  const plain = englishFormat(locale, currency) ?? intlFormat(locale, currency);
  return {
    ...plain,
    price: (minor) => (minor === 0 ? 'Free' : plain.money(minor)),
    duration,
  };
}

/** Each Intl object takes milliseconds to create, so it is created on first use. */
function intlFormat(locale: string, { code, exponent }: CurrencyProps): PlainFormat {
  const money = lazy(() => new Intl.NumberFormat(locale, currencyStyle(code, exponent)));
  const count = lazy(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const rating = lazy(() => new Intl.NumberFormat(locale, oneDecimal));
  const share = lazy(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 }));
  const date = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
  return {
    money: (minor) => normaliseSpaces(money().format(minor / 10 ** exponent)),
    count: (value) => normaliseSpaces(count().format(value)),
    percent: (percent) => normaliseSpaces(share().format(Number(percent) / 100)),
    rating: (value) => rating().format(value),
    date: (iso) => normaliseSpaces(date().format(new Date(iso))),
  };
}

/** Our number of decimals: Intl has others for some currencies, such as two for MGA. */
export function currencyStyle(currency: string, exponent: number): Intl.NumberFormatOptions {
  return {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  };
}

function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Node and browsers have different Unicode data and differ on U+202F; one kind of space makes them equal. */
function normaliseSpaces(text: string): string {
  return text.replace(/[\u202f\u00a0]/g, NBSP);
}

function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest}${NBSP}min`;
  if (rest === 0) return `${hours}${NBSP}h`;
  return `${hours}${NBSP}h${NBSP}${rest}${NBSP}min`;
}

/** Whole percent of a sale, rounded down so that it never promises more; 0 without a sale. */
export function saving(listPrice: number, price: number): number {
  return listPrice > price && listPrice > 0 ? Math.floor(((listPrice - price) * 100) / listPrice) : 0;
}

/** The class for a share between 0 and 1; the content security policy forbids a width in the markup. */
export function barClass(share: number): string {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 20) * 5;
  return `bar--${percent}`;
}

export function plural(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural;
}
