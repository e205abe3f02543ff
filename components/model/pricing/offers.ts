import type { CurrencyProps } from '../../contracts/schema';
import { isolated } from '../isolated';

/**
 * The inputs of a quote. The same rules as domain/pricing: contracts/cases/pricing.json checks both. Money in
 * integer minor units, percentages in hundredths of a percent.
 */
export type Offer = {
  /** The name that people see. */
  name: string;
  /** percent: value off each unit; amount: value off each unit of a line, or once off a cart; price: value is a unit's price. */
  kind: 'percent' | 'amount' | 'price';
  value: number;
  minimum?: number;
  /** all, course, item, or the slug of a category. */
  covers?: string;
  /** Missing or empty: every product that `covers` names. */
  products?: number[];
  /** What it applies to, in words. */
  scope?: string;
  /** For an amount alone: a code takes it off its line once, and one line alone may have the code. */
  oncePerOrder?: boolean;
};

export type PricingLine = {
  id: number;
  kind?: 'course' | 'item';
  category?: string;
  listPrice: number;
  /** Set only during the sale. */
  salePrice?: number | null;
  quantity?: number;
  organisation?: Offer | null;
  code?: Offer | null;
};

const EVERYTHING = 'everything';

/** One unit after the sale: percentages and minimums are of this. */
export function unitOf(line: PricingLine): number {
  return Math.min(line.salePrice ?? line.listPrice, line.listPrice);
}

export function baseOf(line: PricingLine): number {
  return unitOf(line) * (line.quantity ?? 1);
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** The unit price with the offer, from the one without it; never below 0. */
export function unitUnder(offer: Offer, unit: number, currency: CurrencyProps): number {
  if (offer.kind === 'percent') return shareOf(unit, 10_000 - offer.value, 10_000, currency);
  if (offer.kind === 'amount') return Math.max(0, unit - offer.value);
  return offer.value;
}

/** amount * part / whole, rounded half up to the quantum; the products exceed what a double holds. */
export function shareOf(amount: number, part: number, whole: number, { quantum }: CurrencyProps): number {
  const half = BigInt(whole) * BigInt(quantum);
  return Number((BigInt(amount) * BigInt(part) * 2n + half) / (2n * half)) * quantum;
}

export function isCovered(offer: Offer, line: PricingLine): boolean {
  if (offer.products?.length && !offer.products.includes(line.id)) return false;
  return ['all', line.kind ?? 'course', line.category ?? ''].includes(offer.covers ?? 'all');
}

/** An amount inside a message, such as Format.price gives. */
export type AmountText = (minor: number) => string;
export type RefusalReason = { code: string; message: string };
type Rule = (
  offer: Offer,
  line: PricingLine | null,
  lines: readonly PricingLine[],
  write: AmountText,
) => RefusalReason | null;

const appliesToSomething: Rule = (offer, line, lines) => {
  const isForLine = line ? isCovered(offer, line) : lines.some((other) => isCovered(offer, other));
  if (isForLine) return null;
  const subject = line ? 'this one' : 'anything in your cart';
  const message = `${isolated(offer.name)} does not cover ${subject}: it is for ${isolated(offer.scope ?? EVERYTHING)}.`;
  return { code: 'product', message };
};

/** The sum of the lines that the offer applies to, at prices after sale. */
const reachesMinimum: Rule = (offer, _line, lines, write) => {
  const minimum = offer.minimum ?? 0;
  const shortfall = minimum - sum(lines.filter((other) => isCovered(offer, other)).map(baseOf));
  if (shortfall <= 0) return null;
  const where = offer.scope && offer.scope !== EVERYTHING ? ` on ${isolated(offer.scope)}` : '';
  const [least, toGo] = [write(minimum), write(shortfall)];
  const message = `Spend ${least} or more${where} to use ${isolated(offer.name)}: ${toGo} to go.`;
  return { code: 'minimum', message };
};

/** What counts once per order is used by the line with the smallest id that has its code, else by the whole cart. */
const isUsedOnce: Rule = (offer, line, lines) => {
  const isUsed = lines.some(
    (other) =>
      (!line || other.id < line.id) &&
      other.code?.oncePerOrder &&
      other.code.name === offer.name &&
      isCovered(offer, other),
  );
  if (!isUsed) return null;
  const message = `${isolated(offer.name)} counts once per order, and ${line ? 'another line' : 'a line'} has it.`;
  return { code: 'once', message };
};

const RULES: Rule[] = [appliesToSomething, reachesMinimum, isUsedOnce];

/** Why the offer may not lower the line, or with no line the cart; null when it may. */
export function firstRefusal(
  offer: Offer,
  line: PricingLine | null,
  lines: readonly PricingLine[],
  write: AmountText,
): RefusalReason | null {
  for (const rule of RULES) {
    const reason = rule(offer, line, lines, write);
    if (reason) return reason;
  }
  return null;
}

/** 4990 -> "49.90", "4990" or "4.990": messages without a locale. */
export function plainAmounts({ exponent }: CurrencyProps): AmountText {
  return (minor) => {
    const digits = String(minor).padStart(exponent + 1, '0');
    const point = digits.length - exponent;
    return exponent ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  };
}
