import type { LocaleForms } from '../contracts/schema';
import { isFromRight, isolated } from '../model/isolated';

/**
 * Numbers and days by what the host sends of the shop's locale. Intl has data of its own release in Node and in each
 * browser: React would take the page apart where two texts differ.
 */
export type Separators = Pick<LocaleForms, 'decimal' | 'group' | 'grouping'>;

/** "1234.5" as "1,234.5", "1.234,5" or "١٬٢٣٤٫٥": digits of ASCII, grouped where the locale begins to. */
export function numberText(plain: string, zero: string, { decimal, group, grouping }: Separators): string {
  const [least = 1, first = 3, next = 3] = grouping;
  const point = plain.indexOf('.');
  let rest = point < 0 ? plain : plain.slice(0, point);
  let text = point < 0 ? '' : decimal + plain.slice(point + 1);
  if (rest.length >= first + least)
    for (let size = first; rest.length > size; size = next) {
      text = group + rest.slice(-size) + text;
      rest = rest.slice(0, -size);
    }
  return ownDigits(rest + text, zero);
}

export function ownDigits(text: string, zero: string): string {
  if (zero === '0') return text;
  const first = Number(zero.codePointAt(0));
  let own = '';
  for (const char of text)
    own += char >= '0' && char <= '9' ? String.fromCodePoint(first + Number(char)) : char;
  return own;
}

/** Minor units as digits with a point: 1205 with two decimals as "12.05". */
export function plainAmount(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  return exponent ? `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}` : digits;
}

/** The separators of amounts: some locales group them otherwise than numbers. */
export const amountSeparators = (forms: LocaleForms): Separators => ({
  decimal: forms.moneyDecimal,
  group: forms.moneyGroup,
  grouping: forms.moneyGrouping,
});

/**
 * The writers of a shop whose digits, months or currency are read from the right put signs around such a text, so that
 * it does not change places with what stands beside it in a sentence. All others stay as they are.
 */
export function isolating<T extends Record<string, (value: never) => string>>(
  forms: LocaleForms,
  format: T,
): T {
  if (!isFromRight(forms.zero + forms.money + forms.months)) return format;
  const isolatedEntries = Object.entries(format).map(([name, write]) => [
    name,
    (value: never) => isolated(write(value)),
  ]);
  return Object.fromEntries(isolatedEntries) as T;
}

/** Writes digits in the place of {}. */
export function around(pattern: string): (digits: string) => string {
  const [before = '', after = ''] = pattern.split('{}');
  return (digits) => before + digits + after;
}

/** "{month} {day}, {year}" with what it names. */
export function filled(pattern: string, values: Record<string, string>): string {
  const parts = pattern.split(/[{}]/);
  return parts.map((part, index) => (index % 2 ? values[part] : part)).join('');
}

/**
 * Writes the day of an ISO day or time in UTC, as the host sends them; `months` are the twelve names. A pattern names
 * three parts at most.
 */
export function dayWriter(pattern: string, months: string[], zero: string): (iso: string) => string {
  const own = zero === '0' ? String : (value: number | string) => ownDigits(String(value), zero);
  // The text says the day: a Date of it would take twice as long.
  const values: Record<string, (iso: string) => string | undefined> = {
    day: (iso) => own(Number(iso.slice(8, 10))),
    dd: (iso) => own(iso.slice(8, 10)),
    month: (iso) => months[Number(iso.slice(5, 7)) - 1],
    year: (iso) => own(iso.slice(0, 4)),
  };
  const [a = '', first = '', b = '', second = '', c = '', third = '', d = ''] = pattern.split(/[{}]/);
  const none = () => '';
  const [one, two, three] = [values[first] ?? none, values[second] ?? none, values[third] ?? none];
  // Faster than a loop over the parts: lists write hundreds of days.
  return (iso) => a + one(iso) + b + two(iso) + c + three(iso) + d;
}
