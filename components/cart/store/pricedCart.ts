import type { CouponInfo, QuotedLine, ServerCart } from '../api/cartCalls';
import type { CartLine } from '../api/cartLines';
import type { Loser, Refusal, Step } from '../api/cartQuote';
import { minorOf } from '../api/wireMoney';
import type { Offer, PricingLine } from './pricing/offers';
import { type PricedLine, type Quote, quote } from './pricing/quote';
import { counted, covers } from './quoteStore';

/** A line with all that is known of it. Money in minor units; `total` is null for what cannot be bought. */
export type ShownLine = {
  line: CartLine;
  /** What the server knows; null until it has been asked. */
  detail: QuotedLine | null;
  problem: 'refused' | 'missing' | null;
  unit: number;
  total: number | null;
  steps: Step[];
  losers: Loser[];
  refusals: Refusal[];
};

export type ShownCart = {
  lines: ShownLine[];
  coupon: { code: string | null; refusal: Refusal | null } | null;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** False: computed here until the server has answered. */
  isExact: boolean;
};

/**
 * The cart as it is drawn: the server's prices when they are of these very lines, else the same rules applied to what
 * is known here, so that nobody waits for a sum.
 */
export function shownCart(
  lines: readonly CartLine[],
  server: ServerCart | null,
  kept: CouponInfo | null,
): ShownCart {
  const details = new Map(server?.lines.map((line) => [line.id, line]));
  const missing = new Set(server?.missing);
  const sold = counted(lines).filter((line) => !missing.has(line.id));
  const isExact = server !== null && covers(server, lines);
  const priced: Quote = isExact
    ? { ...server, lines: server.lines }
    : quote(
        sold.map((line) => pricingLine(line, details.get(line.id))),
        couponOffer(server, kept),
      );
  const prices = new Map(priced.lines.map((line) => [line.id, line]));
  return {
    lines: lines.map((line) => shownLine(line, details.get(line.id), prices.get(line.id), priced.refusals)),
    coupon: couponOf(server, kept, priced.refusals),
    subtotal: priced.subtotal,
    discount: priced.discount,
    tax: priced.tax,
    total: priced.total,
    isExact,
  };
}

function shownLine(
  line: CartLine,
  detail: QuotedLine | undefined,
  price: PricedLine | undefined,
  refusals: Refusal[],
): ShownLine {
  const away = line.status === 'refused' ? 'refused' : 'missing';
  return {
    line,
    detail: detail ?? null,
    problem: price ? null : away,
    unit: price?.unitPrice ?? line.discountPrice ?? line.price,
    total: price?.total ?? null,
    steps: price?.steps ?? [],
    losers: price?.losers ?? [],
    refusals: refusals.filter(({ lineId }) => lineId === line.id),
  };
}

/** A code is known here by what one unit costs with it. */
function pricingLine(line: CartLine, detail: QuotedLine | undefined): PricingLine {
  const code: Offer | null =
    line.discountCode && line.discount !== null && line.discountPrice !== null
      ? { name: line.discountCode, kind: 'price', value: line.discountPrice }
      : null;
  const saleHere = code ? (line.discountPrice ?? 0) + (line.discount ?? 0) : line.discountPrice;
  return {
    id: line.id,
    kind: detail?.kind ?? 'course',
    category: detail?.category.slug ?? '',
    listPrice: line.price,
    salePrice: detail ? detail.salePrice : saleHere,
    quantity: line.quantity,
    code,
  };
}

function couponOffer(server: ServerCart | null, kept: CouponInfo | null): Offer | null {
  const info = server ? server.coupon : kept;
  if (!info) return null;
  const isPercent = info.discountPercentage > 0;
  return {
    name: server?.coupon?.code ?? 'your coupon',
    kind: isPercent ? 'percent' : 'amount',
    value: isPercent ? Math.round(info.discountPercentage * 100) : (minorOf(info.discountAmount) ?? 0),
    minimum: minorOf(info.minimumAmount) ?? 0,
    covers: info.discountProductType || 'all',
  };
}

function couponOf(
  server: ServerCart | null,
  kept: CouponInfo | null,
  refusals: Refusal[],
): ShownCart['coupon'] {
  if (server ? !server.coupon : !kept) return null;
  const refusal = refusals.find(({ step, lineId }) => step === 'coupon' && lineId === null) ?? null;
  return { code: server?.coupon?.code ?? null, refusal };
}
