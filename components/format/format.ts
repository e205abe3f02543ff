import type { CourseProps, CurrencyProps, ItemProps, LocaleForms, SiteProps } from '../contracts/schema';
import { amountSeparators, around, dayWriter, numberText, plainAmount } from './localeText';

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
  /** A language code as a name; anything that is no code stays as it is. */
  language: (code: string) => string;
  /** The shop's own language, which cards do not repeat. */
  ownLanguage: string;
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

/**
 * Names in the language itself, as in the facet (host/loaders/labels.py); other languages are named in the shop's.
 */
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

const NBSP = '\u00a0';
export type ShopFormat = Pick<SiteProps, 'locale' | 'currency' | 'forms'>;

const cache = new Map<string, Format>();

export function formatOf({ locale, currency, forms }: ShopFormat): Format {
  const key = `${locale} ${currency.code}`;
  let format = cache.get(key);
  if (!format) {
    format = makeFormat(locale, currency, forms);
    cache.set(key, format);
  }
  return format;
}

function makeFormat(locale: string, { exponent }: CurrencyProps, forms: LocaleForms): Format {
  const amounts = amountSeparators(forms);
  const [positive, negative] = [around(forms.money), around(forms.negativeMoney)];
  const money = (minor: number) =>
    (minor < 0 ? negative : positive)(numberText(plainAmount(minor, exponent), forms.zero, amounts));
  const number = (plain: string) => numberText(plain, forms.zero, forms);
  const day = dayWriter(forms.day, forms.months, forms.zero);
  let languages: Intl.DisplayNames;
  return {
    money,
    price: (minor) => (minor === 0 ? 'Free' : money(minor)),
    count: (value) => {
      const text = number(String(Math.round(Math.abs(value))));
      return value <= -0.5 ? around(forms.negative)(text) : text;
    },
    percent: (percent) => around(forms.percent)(number(String(Math.round(Number(percent) * 1000) / 1000))),
    rating: (value) => number((Math.round(value * 10) / 10).toFixed(1)),
    date: (iso) => day(new Date(iso)),
    duration,
    ownLanguage: locale.split('-', 1)[0] ?? locale,
    language: (code) => {
      if (LANGUAGES[code] || !/^[a-z]{2,3}(-|$)/.test(code)) return LANGUAGES[code] ?? code;
      languages ??= new Intl.DisplayNames(locale, { type: 'language' });
      return languages.of(code) ?? code;
    },
  };
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
