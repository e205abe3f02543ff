import { baseOf, type PricingLine, sum } from './offers';

/**
 * Shares of an amount off a whole cart by line id, in proportion to what the lines cost after sale. Cents left over go
 * to the largest remainders, among equals to the smaller id: the order of the lines changes nothing.
 */
export function shares(amount: number, lines: readonly PricingLine[]): Map<number, number> {
  const bases = lines.map((line) => ({ id: line.id, base: baseOf(line) }));
  const whole = sum(bases.map(({ base }) => base));
  if (whole === 0) return new Map(bases.map(({ id }) => [id, 0]));
  const off = Math.min(amount, whole);
  const parts = bases.map(({ id, base }) => {
    const product = BigInt(off) * BigInt(base);
    return { id, share: Number(product / BigInt(whole)), remainder: product % BigInt(whole) };
  });
  const left = off - sum(parts.map(({ share }) => share));
  const luckiest = [...parts].sort((a, b) => compare(b.remainder, a.remainder) || a.id - b.id);
  for (const part of luckiest.slice(0, left)) part.share += 1;
  return new Map(parts.map(({ id, share }) => [id, share]));
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
