import type { CourseProps, CurrencyProps, ItemProps, LocaleForms, SiteProps } from '../contracts/schema';
import { amountSeparators, around, dayWriter, isolating, numberText, plainAmount } from './localeText';

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
  /** Whole minutes, "6 hr 30 min" with spaces that do not break. */
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
export type ShopFormat = Pick<SiteProps, 'locale' | 'currency' | 'forms'>;

const cache = new Map<string, Format>();

export function formatOf({ locale, currency, forms }: ShopFormat): Format {
  const key = `${locale} ${currency.code}`;
  let format = cache.get(key);
  if (!format) {
    format = makeFormat(currency, forms);
    cache.set(key, format);
  }
  return format;
}

function makeFormat({ exponent }: CurrencyProps, forms: LocaleForms): Format {
  const amounts = amountSeparators(forms);
  const [positive, negative] = [around(forms.money), around(forms.negativeMoney)];
  const money = (minor: number) =>
    (minor < 0 ? negative : positive)(numberText(plainAmount(minor, exponent), forms.zero, amounts));
  const number = (plain: string) => numberText(plain, forms.zero, forms);
  const [inHours, inMinutes] = [around(forms.hours), around(forms.minutes)];
  return isolating(forms, {
    money,
    price: (minor) => (minor === 0 ? 'Free' : money(minor)),
    count: (value) => {
      const text = number(String(Math.round(Math.abs(value))));
      return value <= -0.5 ? around(forms.negative)(text) : text;
    },
    percent: (percent) => around(forms.percent)(number(String(Math.round(Number(percent) * 1000) / 1000))),
    rating: (value) => number((Math.round(value * 10) / 10).toFixed(1)),
    date: dayWriter(forms.day, forms.months, forms.zero),
    duration: (minutes) => {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      const text = inMinutes(number(String(rest)));
      if (!hours) return text;
      return inHours(number(String(hours))) + (rest ? NBSP + text : '');
    },
  });
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
