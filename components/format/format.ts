import type { ItemKind, Level, Site } from '../api/pageProps';
import { englishFormat, type PlainFormat } from './english';

/** Values as people read them, in the shop's locale and currency. Made once per shop, handed down as a prop. */
export type Format = {
  /** Integer minor units, "$49.00". */
  money: (minor: number) => string;
  /** Like money, but "Free" for 0. */
  price: (minor: number) => string;
  count: (value: number) => string;
  /** One decimal, "4.6". */
  rating: (value: number) => string;
  /** Whole minutes, "6 h 30 min" with spaces that do not break. */
  duration: (minutes: number) => string;
  /** An ISO time as a day in UTC, "March 4, 2026". */
  date: (iso: string) => string;
  /** A language code as a name; anything that is no code stays as it is. */
  language: (code: string) => string;
  /** The language the shop itself speaks, which a list need not repeat on every card. */
  ownLanguage: string;
};

export const LEVELS: Record<Level, string> = {
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
  all: 'All levels',
};

export const ITEM_KINDS: Record<ItemKind, string> = {
  book: 'Book',
  voucher: 'Exam voucher',
  bundle: 'Bundle',
  physical: 'Equipment',
};

/** By their own names, as the facet lists them (host/loaders/labels.py); others are named in the shop's language. */
const LANGUAGES: Record<string, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  pt: 'Português',
  zh: '中文',
};

/** domain/money.py keeps two decimals whatever the currency. */
const MINOR_PER_MAJOR = 100;
const NBSP = '\u00a0';
const cache = new Map<string, Format>();

export function formatOf({ locale, currency }: Pick<Site, 'locale' | 'currency'>): Format {
  const key = `${locale} ${currency}`;
  let format = cache.get(key);
  if (!format) {
    format = makeFormat(locale, currency);
    cache.set(key, format);
  }
  return format;
}

function makeFormat(locale: string, currency: string): Format {
  const plain = englishFormat(locale, currency) ?? intlFormat(locale, currency);
  const languages = later(() => new Intl.DisplayNames(locale, { type: 'language' }));
  return {
    ...plain,
    price: (minor) => (minor === 0 ? 'Free' : plain.money(minor)),
    duration,
    ownLanguage: locale.split('-', 1)[0] ?? locale,
    language: (code) =>
      LANGUAGES[code] ?? (/^[a-z]{2,3}(-|$)/.test(code) ? (languages().of(code) ?? code) : code),
  };
}

/** Each Intl object costs the browser milliseconds to make, so each waits until a page needs it. */
function intlFormat(locale: string, currency: string): PlainFormat {
  const money = later(() => new Intl.NumberFormat(locale, { style: 'currency', currency }));
  const count = later(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const rating = later(() => new Intl.NumberFormat(locale, oneDecimal));
  const date = later(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
  return {
    money: (minor) => evenSpaces(money().format(minor / MINOR_PER_MAJOR)),
    count: (value) => evenSpaces(count().format(value)),
    rating: (value) => rating().format(value),
    date: (iso) => evenSpaces(date().format(new Date(iso))),
  };
}

function later<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Node and browsers carry different Unicode data and disagree about U+202F; one kind of space keeps them equal. */
function evenSpaces(text: string): string {
  return text.replace(/[\u202f\u00a0]/g, NBSP);
}

function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest}${NBSP}min`;
  if (rest === 0) return `${hours}${NBSP}h`;
  return `${hours}${NBSP}h${NBSP}${rest}${NBSP}min`;
}

/** Whole percent a sale takes off, rounded down so that it never promises more; 0 without a sale. */
export function saving(listPrice: number, price: number): number {
  return listPrice > price && listPrice > 0 ? Math.floor(((listPrice - price) * 100) / listPrice) : 0;
}

/** The class that draws a share between 0 and 1; the style policy allows no width in the markup. */
export function barClass(share: number): string {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 20) * 5;
  return `bar--${percent}`;
}

export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
