// Two decimals, as everywhere until currencies bring their own exponent.
const DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const MAX_MINOR = 99_999_999_999;

/** 123450 -> "1,234.50" or "1.234,50" */
export function amountText(minor: number, locale: string): string {
  return new Intl.NumberFormat(locale, DECIMALS).format(minor / 100);
}

export function currencySymbol(currency: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/**
 * The minor units of an amount as people of this locale type it, with or without separators of thousands; null for
 * anything else, also for more decimals than the currency has.
 */
export function minorOfText(text: string, locale: string): number | null {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const [group = ',', point = '.'] = ['group', 'decimal'].map(
    (kind) => parts.find(({ type }) => type === kind)?.value,
  );
  const typed = text.replace(/[\s\u00a0\u202f'’]/g, '');
  const [whole = '', fraction = '', ...rest] = typed.split(point);
  const digits = whole.split(group);
  const isGrouped = digits.every((part, index) => (index === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part));
  const isWhole = digits.length === 1 ? /^\d+$/.test(whole) : isGrouped;
  if (rest.length > 0 || !isWhole || !/^\d{0,2}$/.test(fraction)) return null;
  const minor = Number(digits.join('')) * 100 + Number(fraction.padEnd(2, '0'));
  return minor <= MAX_MINOR ? minor : null;
}
