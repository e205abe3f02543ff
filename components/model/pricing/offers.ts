/**
 * What goes into a quote. The browser's half of domain/pricing: tests/agreements/pricing.json holds both to the same
 * totals. Money in integer minor units, percentages in hundredths of a percent.
 */
export type Offer = {
  /** How people know it. */
  name: string;
  /** percent: value off each unit; amount: value off each unit of a line, or once off a cart; price: value is a unit's price. */
  kind: 'percent' | 'amount' | 'price';
  value: number;
  minimum?: number;
  /** all, course, item, or the slug of a category. */
  covers?: string;
  /** Missing or empty: every product that `covers` names. */
  products?: number[];
  /** What it covers, in words. */
  scope?: string;
};

export type PricingLine = {
  id: number;
  kind?: 'course' | 'item';
  category?: string;
  listPrice: number;
  /** Only while the sale runs. */
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
  return amounts.reduce((whole, amount) => whole + amount, 0);
}

/** What one unit of this price costs under the offer; never below 0. */
export function unitUnder(offer: Offer, unit: number): number {
  if (offer.kind === 'percent') return percentOf(unit, 10_000 - offer.value);
  if (offer.kind === 'amount') return Math.max(0, unit - offer.value);
  return offer.value;
}

/** So many hundredths of a percent of an amount, halves up; products of two amounts exceed what a double holds. */
export function percentOf(amount: number, hundredths: number): number {
  return Number((BigInt(amount) * BigInt(hundredths) + 5000n) / 10_000n);
}

export function isCovered(offer: Offer, line: PricingLine): boolean {
  if (offer.products?.length && !offer.products.includes(line.id)) return false;
  return ['all', line.kind ?? 'course', line.category ?? ''].includes(offer.covers ?? 'all');
}

export type Reason = { code: string; message: string };
type Rule = (offer: Offer, line: PricingLine | null, lines: readonly PricingLine[]) => Reason | null;

const coversSomething: Rule = (offer, line, lines) => {
  const isForLine = line ? isCovered(offer, line) : lines.some((one) => isCovered(offer, one));
  if (isForLine) return null;
  const what = line ? 'this one' : 'anything in your cart';
  const message = `${offer.name} does not cover ${what}: it is for ${offer.scope ?? EVERYTHING}.`;
  return { code: 'product', message };
};

/** Only what the offer covers counts, at prices after sale. */
const reachesMinimum: Rule = (offer, _line, lines) => {
  const minimum = offer.minimum ?? 0;
  const missing = minimum - sum(lines.filter((one) => isCovered(offer, one)).map(baseOf));
  if (missing <= 0) return null;
  const where = offer.scope && offer.scope !== EVERYTHING ? ` on ${offer.scope}` : '';
  const message = `Spend ${plain(minimum)} or more${where} to use ${offer.name}: ${plain(missing)} to go.`;
  return { code: 'minimum', message };
};

const RULES: Rule[] = [coversSomething, reachesMinimum];

/** Why the offer may not lower the line, or with no line the cart; null when it may. */
export function refusalOf(
  offer: Offer,
  line: PricingLine | null,
  lines: readonly PricingLine[],
): Reason | null {
  for (const rule of RULES) {
    const reason = rule(offer, line, lines);
    if (reason) return reason;
  }
  return null;
}

/** 4990 -> "49.90" */
export function plain(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
