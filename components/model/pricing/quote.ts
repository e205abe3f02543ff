import type { CurrencyProps } from '../../contracts/schema';
import { isolated } from '../isolated';
import type { Refusal, RejectedOffer, Step, StepName } from '../priceSteps';
import { allocate } from './allocation';
import {
  type AmountText,
  baseOf,
  firstRefusal,
  isCovered,
  type Offer,
  type PricingLine,
  plainAmounts,
  sum,
  unitOf,
  unitUnder,
} from './offers';

/**
 * `unitPrice` is of one unit before tax and what is taken off once: by the cart's coupon, or from several units by a
 * code that counts once per order. `unitDiscount` is the discount of the line's code on one unit.
 */
export type PricedLine = {
  id: number;
  quantity: number;
  unitPrice: number;
  unitDiscount: number | null;
  total: number;
  steps: Step[];
  rejectedOffers: RejectedOffer[];
};
export type Quote = {
  lines: PricedLine[];
  refusals: Refusal[];
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
};

/** What offers are checked against; refused ones are added to `refusals`, whose amounts `write` writes. */
type Cart = {
  lines: readonly PricingLine[];
  currency: CurrencyProps;
  refusals: Refusal[];
  write: AmountText;
};
type Candidate = { step: StepName; name: string; unit: number; total: number };

/**
 * Prices a cart. Offers do not combine on one line: the lowest price wins; among equal prices the first of list,
 * sale, organisation, code, coupon. A cart has no tax: orderQuote.ts adds it, and delivery.
 */
export function quote(
  lines: readonly PricingLine[],
  coupon: Offer | null,
  currency: CurrencyProps,
  write: AmountText = plainAmounts(currency),
): Quote {
  const refusals: Refusal[] = [];
  const cart: Cart = { lines, currency, refusals, write };
  const cartOffer = coupon && acceptOffer('coupon', coupon, null, cart);
  const off = cartOffer ? totalsWithCoupon(cartOffer, cart) : new Map<number, number>();
  const priced = lines.map((line) => {
    const candidates = [baseCandidate(line), ...ownCandidates(line, cart)];
    const total = off.get(line.id);
    if (cartOffer && total !== undefined)
      candidates.push({ step: 'coupon', name: cartOffer.name, unit: unitOf(line), total });
    return pricedLine(line, candidates, write);
  });
  return summed(priced, refusals);
}

/** The offer, or null after its refusal was noted. */
function acceptOffer(
  step: StepName,
  offer: Offer,
  line: PricingLine | null,
  { lines, refusals, write }: Cart,
): Offer | null {
  const refusal = firstRefusal(offer, line, lines, write);
  if (!refusal) return offer;
  const { code: reason, message } = refusal;
  refusals.push({ step, name: offer.name, lineId: line?.id ?? null, reason, message });
  return null;
}

function totalsWithCoupon(coupon: Offer, { lines, currency }: Cart): Map<number, number> {
  const covered = lines.filter((line) => isCovered(coupon, line));
  const parts = coupon.kind === 'amount' ? allocate(coupon.value, covered, currency) : null;
  return new Map(
    covered.map((line) => [
      line.id,
      parts
        ? baseOf(line) - (parts.get(line.id) ?? 0)
        : unitUnder(coupon, unitOf(line), currency) * (line.quantity ?? 1),
    ]),
  );
}

function baseCandidate(line: PricingLine): Candidate {
  const step = unitOf(line) === line.listPrice ? 'list' : 'sale';
  return { step, name: '', unit: unitOf(line), total: baseOf(line) };
}

function ownCandidates(line: PricingLine, cart: Cart): Candidate[] {
  const candidates: Candidate[] = [];
  for (const step of ['organisation', 'code'] as const) {
    const offer = line[step] && acceptOffer(step, line[step], line, cart);
    if (!offer) continue;
    candidates.push({ step, name: offer.name, ...pricesUnder(offer, line, cart.currency) });
  }
  return candidates;
}

/** An amount that counts once is no part of the unit price, unless the line is of one unit. */
function pricesUnder(
  offer: Offer,
  line: PricingLine,
  currency: CurrencyProps,
): Pick<Candidate, 'unit' | 'total'> {
  const quantity = line.quantity ?? 1;
  if (offer.oncePerOrder) {
    const total = Math.max(0, baseOf(line) - offer.value);
    return { unit: quantity === 1 ? total : unitOf(line), total };
  }
  const unit = unitUnder(offer, unitOf(line), currency);
  return { unit, total: unit * quantity };
}

function pricedLine(line: PricingLine, candidates: Candidate[], write: AmountText): PricedLine {
  const winner = candidates.reduce((best, candidate) => (candidate.total < best.total ? candidate : best));
  const steps = stepsOf(line, winner);
  const isOfUnits = winner.unit * (line.quantity ?? 1) === winner.total;
  return {
    id: line.id,
    quantity: line.quantity ?? 1,
    unitPrice: winner.unit,
    unitDiscount: winner.step === 'code' && isOfUnits ? unitOf(line) - winner.unit : null,
    total: steps.at(-1)?.total ?? 0,
    steps,
    rejectedOffers: candidates
      .slice(1)
      .flatMap((candidate) => (candidate === winner ? [] : [rejectedOffer(candidate, winner, write)])),
  };
}

function stepsOf(line: PricingLine, winner: Candidate): Step[] {
  const listTotal = line.listPrice * (line.quantity ?? 1);
  const base = baseOf(line);
  const steps: Step[] = [{ step: 'list', name: '', change: 0, total: listTotal }];
  if (base !== listTotal) steps.push({ step: 'sale', name: '', change: base - listTotal, total: base });
  if (winner.step !== 'list' && winner.step !== 'sale')
    steps.push({ step: winner.step, name: winner.name, change: winner.total - base, total: winner.total });
  return steps;
}

function rejectedOffer(
  { step, name, total }: Candidate,
  winner: Candidate,
  write: AmountText,
): RejectedOffer {
  const label = winner.step === 'list' || winner.step === 'sale' ? `the ${winner.step} price` : winner.name;
  const best = isolated(label.slice(0, 1).toUpperCase() + label.slice(1));
  if (total === winner.total)
    return { step, name, total, reason: 'equal', message: `${best} already gives this price.` };
  const lower = `${write(winner.total)} instead of ${write(total)} with ${isolated(name)}`;
  return { step, name, total, reason: 'higher', message: `${best} is lower: ${lower}.` };
}

function summed(lines: PricedLine[], refusals: Refusal[]): Quote {
  const subtotal = sum(lines.map((line) => line.unitPrice * line.quantity));
  const total = sum(lines.map((line) => line.total));
  return {
    lines,
    refusals,
    subtotal,
    discount: subtotal - total,
    tax: 0,
    total,
  };
}
