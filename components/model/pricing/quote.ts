import type { Loser, Refusal, Step, StepName } from '../../api/cartQuote';
import {
  baseOf,
  isCovered,
  type Offer,
  type PricingLine,
  percentOf,
  plain,
  refusalOf,
  sum,
  unitOf,
  unitUnder,
} from './offers';
import { shares } from './sharing';

/** `unitPrice` is of one unit before the cart's coupon and tax, `unitOff` what the line's code took off it. */
export type PricedLine = {
  id: number;
  quantity: number;
  unitPrice: number;
  unitOff: number | null;
  total: number;
  steps: Step[];
  losers: Loser[];
};
export type Quote = {
  lines: PricedLine[];
  refusals: Refusal[];
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
};

type Candidate = { step: StepName; name: string; unit: number; total: number };

/**
 * What a cart costs. Line and cart offers never add up on one line: the lowest price wins, among equals what comes
 * first of list, sale, organisation, code, coupon. Tax, in hundredths of a percent, comes on top of each line.
 */
export function quote(lines: readonly PricingLine[], coupon: Offer | null = null, tax = 0): Quote {
  const refusals: Refusal[] = [];
  const cartOffer = coupon && accepted('coupon', coupon, null, lines, refusals);
  const off = cartOffer ? couponTotals(cartOffer, lines) : new Map<number, number>();
  const priced = lines.map((line) => {
    const candidates = [baseCandidate(line), ...ownCandidates(line, lines, refusals)];
    const total = off.get(line.id);
    if (cartOffer && total !== undefined)
      candidates.push({ step: 'coupon', name: cartOffer.name, unit: unitOf(line), total });
    return pricedLine(line, candidates, tax);
  });
  return summed(priced, refusals);
}

/** The offer, or null after its refusal was noted. */
function accepted(
  step: StepName,
  offer: Offer,
  line: PricingLine | null,
  lines: readonly PricingLine[],
  refusals: Refusal[],
): Offer | null {
  const found = refusalOf(offer, line, lines);
  if (!found) return offer;
  const { code: reason, message } = found;
  refusals.push({ step, name: offer.name, lineId: line?.id ?? null, reason, message });
  return null;
}

function couponTotals(coupon: Offer, lines: readonly PricingLine[]): Map<number, number> {
  const found = lines.filter((line) => isCovered(coupon, line));
  const parts = coupon.kind === 'amount' ? shares(coupon.value, found) : null;
  return new Map(
    found.map((line) => [
      line.id,
      parts
        ? baseOf(line) - (parts.get(line.id) ?? 0)
        : unitUnder(coupon, unitOf(line)) * (line.quantity ?? 1),
    ]),
  );
}

function baseCandidate(line: PricingLine): Candidate {
  const step = unitOf(line) === line.listPrice ? 'list' : 'sale';
  return { step, name: '', unit: unitOf(line), total: baseOf(line) };
}

function ownCandidates(line: PricingLine, lines: readonly PricingLine[], refusals: Refusal[]): Candidate[] {
  const made: Candidate[] = [];
  for (const step of ['organisation', 'code'] as const) {
    const offer = line[step] && accepted(step, line[step], line, lines, refusals);
    if (!offer) continue;
    const unit = unitUnder(offer, unitOf(line));
    made.push({ step, name: offer.name, unit, total: unit * (line.quantity ?? 1) });
  }
  return made;
}

function pricedLine(line: PricingLine, candidates: Candidate[], tax: number): PricedLine {
  const winner = candidates.reduce((best, one) => (one.total < best.total ? one : best));
  const steps = stepsOf(line, winner, tax);
  return {
    id: line.id,
    quantity: line.quantity ?? 1,
    unitPrice: winner.unit,
    unitOff: winner.step === 'code' ? unitOf(line) - winner.unit : null,
    total: steps.at(-1)?.total ?? 0,
    steps,
    losers: candidates.slice(1).flatMap((one) => (one === winner ? [] : [loserOf(one, winner)])),
  };
}

function stepsOf(line: PricingLine, winner: Candidate, tax: number): Step[] {
  const before = line.listPrice * (line.quantity ?? 1);
  const base = baseOf(line);
  const steps: Step[] = [{ step: 'list', name: '', change: 0, total: before }];
  if (base !== before) steps.push({ step: 'sale', name: '', change: base - before, total: base });
  if (winner.step !== 'list' && winner.step !== 'sale')
    steps.push({ step: winner.step, name: winner.name, change: winner.total - base, total: winner.total });
  const added = percentOf(winner.total, tax);
  if (tax) steps.push({ step: 'tax', name: '', change: added, total: winner.total + added });
  return steps;
}

function loserOf({ step, name, total }: Candidate, winner: Candidate): Loser {
  const called = winner.step === 'list' || winner.step === 'sale' ? `the ${winner.step} price` : winner.name;
  const best = called.slice(0, 1).toUpperCase() + called.slice(1);
  if (total === winner.total)
    return { step, name, total, reason: 'same', message: `${best} already gives this price.` };
  const lower = `${plain(winner.total)} instead of ${plain(total)} with ${name}`;
  return { step, name, total, reason: 'dearer', message: `${best} is lower: ${lower}.` };
}

function summed(lines: PricedLine[], refusals: Refusal[]): Quote {
  const changed = (name: StepName) =>
    sum(lines.flatMap(({ steps }) => steps.filter(({ step }) => step === name).map(({ change }) => change)));
  return {
    lines,
    refusals,
    subtotal: sum(lines.map((line) => line.unitPrice * line.quantity)),
    discount: 0 - changed('coupon'),
    tax: changed('tax'),
    total: sum(lines.map((line) => line.total)),
  };
}
