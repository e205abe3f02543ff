/** DECIMAL(12,2) in the database. */
const MAX_AMOUNT = 9_999_999_999.99;

/**
 * Major units of the wire and of storage as integer minor units, rounded half up (contracts/cases/money.json): 1.005
 * -> 101. Null for anything that is no amount of money: negative, infinite, too large, not a number.
 */
export function minorOf(value: unknown): number | null {
  const amount = typeof value === 'string' && /^\d{1,10}(\.\d{1,6})?$/.test(value) ? Number(value) : value;
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= MAX_AMOUNT)) return null;
  // 1.005 * 100 is slightly below 100.5 as a double, which holds fifteen digits exactly.
  return Math.round(Number((amount * 100).toPrecision(15)));
}

/** 4990 -> 49.9, as JSON writes it. */
export function majorOf(minor: number): number {
  return minor / 100;
}
