import type { CurrencyProps, LocaleForms, ShortForms } from '../contracts/schema';
import { clockText } from './dateTime';
import type { ShopFormat } from './format';
import {
  amountSeparators,
  around,
  dayWriter,
  filled,
  isolating,
  numberText,
  plainAmount,
  type Separators,
} from './localeText';

/** Short forms for tables and charts, in the shop's locale and currency. Days and times are in UTC. */
export type CompactFormat = {
  /** "2026-03-04" or an ISO time as "Mar 4, 2026". */
  day: (iso: string) => string;
  /** "Mar 4". */
  dayOfYear: (iso: string) => string;
  /** "2026-03" as "Mar 2026", and as "Mar". */
  month: (iso: string) => string;
  monthOfYear: (iso: string) => string;
  /** "Mar 4, 2026, 14:05", in UTC: what stands around it says so. */
  time: (iso: string) => string;
  /** Minor units without decimals where there are none, "$1,200", and "$12K" from 10,000 major units. */
  money: (minor: number) => string;
  /** "9,500", "12K". */
  count: (value: number) => string;
};

const COMPACT_FROM = 10_000;
const cache = new Map<string, CompactFormat>();

/** Raises an error on pages outside the areas: the host sends the short forms to areas alone. */
export function compactFormatOf({ locale, currency, forms }: ShopFormat): CompactFormat {
  const key = `${locale} ${currency.code}`;
  const known = cache.get(key);
  if (known) return known;
  if (!forms.short) throw new Error('this page has no short forms');
  const format = makeFormat(currency, forms, forms.short);
  cache.set(key, format);
  return format;
}

function makeFormat({ exponent }: CurrencyProps, forms: LocaleForms, short: ShortForms): CompactFormat {
  const day = (pattern: string, months: string[]) => dayWriter(pattern, months, forms.zero);
  const amounts = amountSeparators(forms);
  const write = (plain: string, separators: Separators) =>
    Number(plain) >= COMPACT_FROM
      ? compactText(Number(plain), forms, short, separators)
      : numberText(plain, forms.zero, separators);
  const date = day(short.day, short.months);
  return isolating(forms, {
    day: date,
    dayOfYear: day(short.dayOfYear, short.months),
    month: day(short.month, short.months),
    monthOfYear: day('{month}', short.monthsAlone),
    time: (iso) => {
      const at = new Date(iso);
      const time = clockText(at.getUTCHours() * 60 + at.getUTCMinutes(), short.time, forms);
      return filled(short.moment, { date: date(iso), time });
    },
    money: (minor) => {
      const plain = plainAmount(minor, exponent).replace(/\.0+$/, '');
      return around(minor < 0 ? forms.negativeMoney : forms.money)(write(plain, amounts));
    },
    count: (value) => {
      const text = write(String(Math.round(Math.abs(value) * 1000) / 1000), forms);
      return value < 0 ? around(forms.negative)(text) : text;
    },
  });
}

/** With at most one decimal: 999,960 is "1M", not "1000K". */
function compactText(
  value: number,
  forms: LocaleForms,
  { compact }: ShortForms,
  separators: Separators,
): string {
  const stepOf = (number: number) => compact.findLast(({ zeros }) => number >= 10 ** zeros);
  const tenths = (number: number) => {
    const unit = 10 ** (stepOf(number)?.power ?? 0);
    return (Math.round((number / unit) * 10) / 10) * unit;
  };
  const rounded = tenths(value);
  const { power = 0, text = '{}' } = stepOf(rounded) ?? {};
  const digits = String(Math.round((rounded / 10 ** power) * 10) / 10);
  return around(text)(numberText(digits, forms.zero, separators));
}
