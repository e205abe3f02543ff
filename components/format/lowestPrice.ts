import type { Format } from './format';

/** Beside a reduction, where the shop's country asks for it. */
export function lowestPrice(lowest: number, format: Format): string {
  return `Lowest price in the 30 days before: ${format.money(lowest)}`;
}
