/** DECIMAL(12,2) in the records. */
const LARGEST = 9_999_999_999.99;

/**
 * Major units of the wire and of storage as integer minor units, halves up (tests/agreements/money.json): 1.005 -> 101.
 * Null for everything that is no amount of money: negative, endless, too large, not a number.
 */
export function minorOf(value: unknown): number | null {
  const amount = typeof value === 'string' && /^\d{1,10}(\.\d{1,6})?$/.test(value) ? Number(value) : value;
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= LARGEST)) return null;
  // 1.005 * 100 is a hair below 100.5; fifteen digits are what a double surely holds.
  return Math.round(Number((amount * 100).toPrecision(15)));
}

/** 4990 -> 49.9, as JSON writes it. */
export function majorOf(minor: number): number {
  return minor / 100;
}
