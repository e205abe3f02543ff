import agreement from '../../../tests/agreements/pricing.json';
import type { Offer, PricingLine } from './offers';
import { type Quote, quote } from './quote';

type Case = { name: string; lines: PricingLine[]; coupon?: Offer; tax?: number; quote: Quote };

const DEFAULTS = { category: 'tax' };

test.each(agreement.quotes as Case[])('$name', ({ lines, coupon, tax, quote: agreed }) => {
  const given = lines.map((line) => ({ ...DEFAULTS, ...line }));
  expect(quote(given, coupon ?? null, tax)).toEqual(agreed);
});

/** Numerical Recipes' generator: the same carts in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Draw = (below: number) => number;
const LARGE = 999_999_999_999;
const KINDS = ['percent', 'amount', 'price'] as const;

function anyPrice(draw: Draw): number {
  return [0, draw(10), draw(100_000), draw(LARGE)][draw(4)] ?? 0;
}

function anyOffer(draw: Draw, name: string): Offer {
  const kind = KINDS[draw(3)] ?? 'percent';
  return {
    name,
    kind,
    value: kind === 'percent' ? draw(10_001) : anyPrice(draw),
    minimum: draw(3) ? 0 : draw(100_000),
    covers: ['all', 'course', 'item', 'tax'][draw(4)] ?? 'all',
    products: draw(4) ? [] : [1, 2],
  };
}

function anyCart(draw: Draw): PricingLine[] {
  return Array.from({ length: draw(6) }, (_, index) => ({
    id: index + 1,
    kind: draw(2) ? 'course' : 'item',
    category: draw(2) ? 'tax' : 'data',
    listPrice: anyPrice(draw),
    salePrice: draw(2) ? null : anyPrice(draw),
    quantity: 1 + draw(5),
    organisation: draw(3) ? null : anyOffer(draw, 'ACME'),
    code: draw(3) ? null : anyOffer(draw, 'CODE'),
  }));
}

const CARTS = Array.from({ length: 500 }, (_, seed) => {
  const draw = random(seed + 1);
  return { lines: anyCart(draw), coupon: anyOffer(draw, 'COUPON') };
});

test('no line falls below 0, and the total is that of the lines', () => {
  for (const { lines, coupon } of CARTS) {
    const made = quote(lines, coupon);
    const totals = made.lines.map((line) => line.total);
    expect(totals.filter((total) => total < 0)).toEqual([]);
    expect(made.total).toBe(totals.reduce((whole, total) => whole + total, 0));
    expect(made.subtotal - made.discount + made.tax).toBe(made.total);
  }
});

test('the order of the lines changes nothing', () => {
  const byId = (made: Quote) => made.lines.toSorted((a, b) => a.id - b.id);
  for (const { lines, coupon } of CARTS)
    expect(byId(quote(lines.toReversed(), coupon))).toEqual(byId(quote(lines, coupon)));
});

test('a coupon never raises a price', () => {
  for (const { lines, coupon } of CARTS) {
    const without = quote(lines).lines.map((line) => line.total);
    const raised = quote(lines, coupon).lines.filter((line, place) => line.total > (without[place] ?? 0));
    expect(raised).toEqual([]);
  }
});
