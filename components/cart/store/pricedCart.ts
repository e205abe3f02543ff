import type { QuotedLine, ServerCart } from '../../api/cart';
import type { CurrencyProps } from '../../contracts/schema';
import { formatOf, type ShopFormat } from '../../format/format';
import type { CartLine } from '../../model/cartLine';
import type { CouponInfo } from '../../model/coupon';
import { minorOf } from '../../model/money';
import type { Refusal, RejectedOffer, Step } from '../../model/priceSteps';
import type { Offer, PricingLine } from '../../model/pricing/offers';
import { type PricedLine, type Quote, quote } from '../../model/pricing/quote';
import { countedLines, matchesLines } from './quoteStore';

/** A line with its server data and price. Money in minor units; `total` is null for what cannot be bought. */
export type CartItem = {
  line: CartLine;
  /** The server's data; null until the first response. */
  detail: QuotedLine | null;
  problem: 'refused' | 'unavailable' | null;
  unit: number;
  total: number | null;
  steps: Step[];
  rejectedOffers: RejectedOffer[];
  refusals: Refusal[];
};

export type PricedCart = {
  lines: CartItem[];
  coupon: { code: string | null; refusal: Refusal | null } | null;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** False: computed here, before the server's response. */
  isExact: boolean;
};

/**
 * The cart to render: with the server's prices if they are for exactly these lines, else priced here by the same
 * rules, so that a total is shown without waiting.
 */
export function pricedCart(
  lines: readonly CartLine[],
  server: ServerCart | null,
  storedCoupon: CouponInfo | null,
  site: ShopFormat,
): PricedCart {
  const { currency } = site;
  const details = new Map(server?.lines.map((line) => [line.id, line]));
  const unavailable = new Set(server?.unavailable);
  const available = countedLines(lines).filter((line) => !unavailable.has(line.id));
  const isExact = server !== null && matchesLines(server, lines);
  const priced: Quote = isExact
    ? { ...server, lines: server.lines }
    : quote(
        available.map((line) => pricingLine(line, details.get(line.id))),
        couponOffer(server, storedCoupon, currency),
        currency,
        formatOf(site).price,
      );
  const prices = new Map(priced.lines.map((line) => [line.id, line]));
  return {
    lines: lines.map((line) => cartItem(line, details.get(line.id), prices.get(line.id), priced.refusals)),
    coupon: couponOf(server, storedCoupon, priced.refusals),
    subtotal: priced.subtotal,
    discount: priced.discount,
    tax: priced.tax,
    total: priced.total,
    isExact,
  };
}

function cartItem(
  line: CartLine,
  detail: QuotedLine | undefined,
  price: PricedLine | undefined,
  refusals: Refusal[],
): CartItem {
  const status = line.status === 'refused' ? 'refused' : 'unavailable';
  return {
    line,
    detail: detail ?? null,
    problem: price ? null : status,
    unit: price?.unitPrice ?? line.discountPrice ?? line.price,
    total: price?.total ?? null,
    steps: price?.steps ?? [],
    rejectedOffers: price?.rejectedOffers ?? [],
    refusals: refusals.filter(({ lineId }) => lineId === line.id),
  };
}

function pricingLine(line: CartLine, detail: QuotedLine | undefined): PricingLine {
  const code = codeOffer(line, detail);
  const salePrice = code ? (line.discountPrice ?? 0) + (line.discount ?? 0) : line.discountPrice;
  return {
    id: line.id,
    kind: detail?.kind ?? 'course',
    category: detail?.category.slug ?? '',
    listPrice: line.price,
    salePrice: detail ? detail.salePrice : salePrice,
    quantity: line.quantity,
    code,
  };
}

/** A code that counts once is known by its amount, another one only as the unit price with it. */
function codeOffer(line: CartLine, detail: QuotedLine | undefined): Offer | null {
  const { discountCode: name, discountPrice: value } = line;
  if (!name) return null;
  if (detail && detail.codeAmount !== null)
    return { name, kind: 'amount', value: detail.codeAmount, oncePerOrder: true };
  return line.discount !== null && value !== null ? { name, kind: 'price', value } : null;
}

function couponOffer(
  server: ServerCart | null,
  storedCoupon: CouponInfo | null,
  currency: CurrencyProps,
): Offer | null {
  const info = server ? server.coupon : storedCoupon;
  if (!info) return null;
  const isPercent = info.discountPercentage > 0;
  return {
    name: server?.coupon?.code ?? 'your coupon',
    kind: isPercent ? 'percent' : 'amount',
    value: isPercent
      ? Math.round(info.discountPercentage * 100)
      : (minorOf(info.discountAmount, currency) ?? 0),
    minimum: minorOf(info.minimumAmount, currency) ?? 0,
    covers: info.discountProductType || 'all',
  };
}

function couponOf(
  server: ServerCart | null,
  storedCoupon: CouponInfo | null,
  refusals: Refusal[],
): PricedCart['coupon'] {
  if (server ? !server.coupon : !storedCoupon) return null;
  const refusal = refusals.find(({ step, lineId }) => step === 'coupon' && lineId === null) ?? null;
  return { code: server?.coupon?.code ?? null, refusal };
}
