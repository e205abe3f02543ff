import type { LocaleForms, SiteProps } from '../contracts/schema';
import { around, numberText, plainAmount } from '../format/localeText';

type Shop = Pick<SiteProps, 'currency' | 'forms'>;

const MAX_MINOR = 99_999_999_999;
// What people type between groups in any locale, and the marks of direction.
const NOTHING = /[\s\u061c\u200e\u200f'\u2019\uff07]/g;
const FULL_WIDTH = /[\uff0c\uff0e\uff10-\uff19]/g;

/** 123450 -> "1,234.50" or "1.234,50", with the currency's decimals. */
export function amountText(minor: number, { currency, forms }: Shop): string {
  const text = numberText(plainAmount(minor, currency.exponent), forms.zero, forms);
  return minor < 0 ? around(forms.negative)(text) : text;
}

/** The currency's sign as prices have it, without its spaces. */
export function currencySymbol({ forms }: Shop): string {
  return forms.money.replace('{}', '').replace(NOTHING, '');
}

/**
 * A number of this locale with digits of ASCII and a point, "1234.5": with or without marks between its groups, in the
 * locale's digits, those of ASCII or of full width. Null for anything else, also for what would be another number in the
 * next country, such as "1.234" where groups have a space. domain/local_numbers.py reads the same
 * (contracts/cases/typed-numbers.json).
 */
export function plainNumber(text: string, { zero, decimal, group, grouping }: LocaleForms): string | null {
  const typed = asciiDigits(text.replace(NOTHING, '').replace(FULL_WIDTH, narrow), zero);
  // Where neither mark is on a keyboard of Latin letters, its point and comma have their English meaning.
  const isEnglish = decimal > '~' && !typed.includes(decimal) && !typed.includes(group);
  const [point, own] = isEnglish ? ['.', ','] : [decimal, group.replace(NOTHING, '')];
  const [whole = '', fraction, ...rest] = typed.split(point);
  const mark = own && whole.includes(own) ? own : point === ',' ? '.' : ',';
  const groups = whole.split(mark);
  const isClear = mark === own || groups.length !== 2 || fraction !== undefined;
  if (rest.length > 0 || !isClear || !/^\d*$/.test(groups.join('') + (fraction ?? ''))) return null;
  if (groups.length > 1 && !isGrouped(groups, grouping)) return null;
  const digits = groups.join('');
  return digits || fraction ? `${digits || '0'}${fraction ? `.${fraction}` : ''}` : null;
}

function asciiDigits(text: string, zero: string): string {
  const first = zero.codePointAt(0) ?? 48;
  return Array.from(text, (char) => {
    const digit = (char.codePointAt(0) ?? 0) - first;
    return digit >= 0 && digit <= 9 ? String(digit) : char;
  }).join('');
}

function isGrouped(groups: string[], [, last = 3, others = 3]: number[]): boolean {
  const [first = 0, ...rest] = groups.map(({ length }) => length);
  const isWhole = rest.every((length, at) => length === (at === rest.length - 1 ? last : others));
  return isWhole && first >= 1 && first <= Math.max(last, others);
}

const narrow = (char: string) => String.fromCharCode(char.charCodeAt(0) - 0xfee0);

/**
 * The minor units of an amount as people of this locale type it; null for anything else, also for what is no multiple
 * of the currency's quantum.
 */
export function minorOfText(text: string, { currency: { exponent, quantum }, forms }: Shop): number | null {
  const [whole, fraction = ''] = plainNumber(text, forms)?.split('.') ?? [];
  if (whole === undefined || fraction.length > exponent) return null;
  const minor = Number(whole + fraction.padEnd(exponent, '0'));
  return minor <= MAX_MINOR && minor % quantum === 0 ? minor : null;
}
