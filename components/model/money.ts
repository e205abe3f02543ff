import type { CurrencyProps } from '../contracts/schema';

/** DECIMAL(13,3) in the database. */
const MAX_AMOUNT = 9_999_999_999.999;

/**
 * Major units of the wire and of storage as integer minor units, rounded half up to the currency's quantum
 * (contracts/cases/money.json): 1.005 USD -> 101. Null for anything that is no amount of money: negative, infinite, too
 * large, not a number.
 */
export function minorOf(value: unknown, { exponent, quantum }: CurrencyProps): number | null {
  const amount = typeof value === 'string' && /^\d{1,10}(\.\d{1,6})?$/.test(value) ? Number(value) : value;
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= MAX_AMOUNT)) return null;
  // 1.005 * 100 is slightly below 100.5 as a double, which holds fifteen digits exactly.
  return Math.round(Number(((amount * 10 ** exponent) / quantum).toPrecision(15))) * quantum;
}

/** 4990 -> 49.9, as JSON writes it. */
export function majorOf(minor: number, { exponent }: CurrencyProps): number {
  return minor / 10 ** exponent;
}
