import type { CurrencyProps } from '../../contracts/schema';
import { baseOf, type PricingLine, sum } from './offers';

/**
 * Shares of an amount off a whole cart by line id, in proportion to what the lines cost after sale. Counted in the
 * currency's quantum, such as cents; those left over go to the largest remainders, among equals to the smaller id: the
 * order of the lines changes nothing.
 */
export function allocate(
  amount: number,
  lines: readonly PricingLine[],
  { quantum }: CurrencyProps,
): Map<number, number> {
  const bases = lines.map((line) => ({ id: line.id, base: Math.floor(baseOf(line) / quantum) }));
  const total = sum(bases.map(({ base }) => base));
  if (total === 0) return new Map(bases.map(({ id }) => [id, 0]));
  const off = Math.min(Math.floor(amount / quantum), total);
  const parts = bases.map(({ id, base }) => {
    const product = BigInt(off) * BigInt(base);
    return { id, share: Number(product / BigInt(total)), remainder: product % BigInt(total) };
  });
  const leftover = off - sum(parts.map(({ share }) => share));
  const byRemainder = [...parts].sort((a, b) => compare(b.remainder, a.remainder) || a.id - b.id);
  for (const part of byRemainder.slice(0, leftover)) part.share += 1;
  return new Map(parts.map(({ id, share }) => [id, share * quantum]));
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
