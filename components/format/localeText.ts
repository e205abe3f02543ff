import type { LocaleForms } from '../contracts/schema';

/**
 * Numbers and days by what the host sends of the shop's locale. Intl has data of its own release in Node and in each
 * browser: React would take the page apart where two texts differ.
 */
export type Separators = Pick<LocaleForms, 'decimal' | 'group' | 'grouping'>;

/** "1234.5" as "1,234.5", "1.234,5" or "١٬٢٣٤٫٥": digits of ASCII, grouped where the locale begins to. */
export function numberText(plain: string, zero: string, { decimal, group, grouping }: Separators): string {
  const [whole = '', part] = plain.split('.');
  const [least = 1, first = 3, next = 3] = grouping;
  let rest = whole;
  let text = part === undefined ? '' : decimal + part;
  if (rest.length >= first + least)
    for (let size = first; rest.length > size; size = next) {
      text = group + rest.slice(-size) + text;
      rest = rest.slice(0, -size);
    }
  return ownDigits(rest + text, zero);
}

export function ownDigits(text: string, zero: string): string {
  const first = zero.codePointAt(0) ?? 48;
  return first === 48 ? text : text.replace(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)));
}

/** Minor units as digits with a point: 1205 with two decimals as "12.05". */
export function plainAmount(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  return exponent ? `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}` : digits;
}

/** The marks of amounts: some locales group them otherwise than numbers. */
export const amountSeparators = (forms: LocaleForms): Separators => ({
  decimal: forms.moneyDecimal,
  group: forms.moneyGroup,
  grouping: forms.moneyGrouping,
});

/** "{month} {day}, {year}" with what it names. */
export const filled = (pattern: string, values: Record<string, string>) =>
  pattern.replace(/{(\w+)}/g, (_, name: string) => values[name] ?? '');

/** A number's pattern with its digits in the place of {}. */
export const around = (pattern: string, digits: string) => pattern.replace('{}', () => digits);

/** The day of a time in UTC; `months` are the twelve names. */
export function dayText(at: Date, pattern: string, months: string[], zero: string): string {
  return filled(pattern, {
    day: ownDigits(String(at.getUTCDate()), zero),
    dd: ownDigits(String(at.getUTCDate()).padStart(2, '0'), zero),
    month: months[at.getUTCMonth()] ?? '',
    year: ownDigits(String(at.getUTCFullYear()), zero),
  });
}
