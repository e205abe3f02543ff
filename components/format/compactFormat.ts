import type { CurrencyProps, SiteProps } from '../contracts/schema';
import { currencyStyle } from './format';

type Locale = Pick<SiteProps, 'locale' | 'currency'>;

/** Short forms for tables and charts, in the shop's locale and currency. Days and times are in UTC. */
export type CompactFormat = {
  /** "2026-03-04" or an ISO time as "Mar 4, 2026". */
  day: (iso: string) => string;
  /** "Mar 4". */
  dayOfYear: (iso: string) => string;
  /** "2026-03" as "Mar 2026", and as "Mar". */
  month: (iso: string) => string;
  monthOfYear: (iso: string) => string;
  /** "Mar 4, 2026, 14:05". */
  time: (iso: string) => string;
  /** Minor units without decimals where there are none, "$1,200", and "$12K" from 10,000 major units. */
  money: (minor: number) => string;
  /** "9,500", "12K". */
  count: (value: number) => string;
};

const COMPACT_FROM = 10_000;
const cache = new Map<string, CompactFormat>();

export function compactFormatOf({ locale, currency }: Locale): CompactFormat {
  const key = `${locale} ${currency.code}`;
  const known = cache.get(key);
  if (known) return known;
  const format = makeFormat(locale, currency);
  cache.set(key, format);
  return format;
}

function makeFormat(locale: string, { code, exponent }: CurrencyProps): CompactFormat {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (iso: string) => normaliseSpaces(format.format(new Date(iso)));
  };
  const numbers = (options: Intl.NumberFormatOptions) => {
    const whole = new Intl.NumberFormat(locale, {
      ...options,
      minimumFractionDigits: 0,
      maximumFractionDigits: 0,
    });
    const parts = new Intl.NumberFormat(locale, options);
    const short = new Intl.NumberFormat(locale, {
      ...options,
      notation: 'compact',
      // Node 20 shows "$5.0K" otherwise.
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
    });
    return (value: number) => {
      const form = Math.abs(value) >= COMPACT_FROM ? short : Number.isInteger(value) ? whole : parts;
      return normaliseSpaces(form.format(value));
    };
  };
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const money = numbers(currencyStyle(code, exponent));
  return {
    day: dates(day),
    dayOfYear: dates({ month: 'short', day: 'numeric' }),
    month: dates({ year: 'numeric', month: 'short' }),
    monthOfYear: dates({ month: 'short' }),
    time: dates({ ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    money: (minor) => money(minor / 10 ** exponent),
    count: numbers({}),
  };
}

/** Node and browsers have different Unicode data and differ on U+202F. */
function normaliseSpaces(text: string): string {
  return text.replace(/[\u202f\u00a0]/g, '\u00a0');
}
