import type { CurrencyProps } from '../contracts/schema';
import { currencyStyle } from '../format/format';

const MAX_MINOR = 99_999_999_999;

/** 123450 -> "1,234.50" or "1.234,50", with the currency's decimals. */
export function amountText(minor: number, locale: string, { exponent }: CurrencyProps): string {
  const decimals = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  return new Intl.NumberFormat(locale, decimals).format(minor / 10 ** exponent);
}

export function currencySymbol({ code, exponent }: CurrencyProps, locale: string): string {
  const parts = new Intl.NumberFormat(locale, currencyStyle(code, exponent)).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? code;
}

/**
 * The minor units of an amount as people of this locale type it, with or without separators of thousands; null for
 * anything else, also for what is no multiple of the currency's quantum.
 */
export function minorOfText(
  text: string,
  locale: string,
  { exponent, quantum }: CurrencyProps,
): number | null {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const [group = ',', point = '.'] = ['group', 'decimal'].map(
    (kind) => parts.find(({ type }) => type === kind)?.value,
  );
  const typed = text.replace(/[\s\u00a0\u202f'’]/g, '');
  const [whole = '', fraction = '', ...rest] = typed.split(point);
  const digits = whole.split(group);
  const isGrouped = digits.every((part, index) => (index === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part));
  const isWhole = digits.length === 1 ? /^\d+$/.test(whole) : isGrouped;
  if (rest.length > 0 || !isWhole || !/^\d*$/.test(fraction) || fraction.length > exponent) return null;
  const minor = Number(digits.join('') + fraction.padEnd(exponent, '0'));
  return minor <= MAX_MINOR && minor % quantum === 0 ? minor : null;
}
