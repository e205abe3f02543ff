import type { RefusalSchema, RejectedOfferSchema, StepSchema } from '../contracts/schema';
import { isolated } from './isolated';

/** `change` is the difference that the step makes to the line, `total` the line's price after it; minor units. */
export type Step = StepSchema;
export type StepName = Step['step'];

/** An offer that could have lowered the line and did not; `total` is what the line would have cost with it. */
export type RejectedOffer = RejectedOfferSchema;

/** An offer that a rule refused, on one line or (null) for the whole cart. */
export type Refusal = RefusalSchema;

/** A line with its steps and what its units cost, its unit price times its quantity. */
type PricedUnits = { steps: readonly Pick<Step, 'step' | 'name' | 'total'>[]; units: number };

/** Whether a step takes an amount off its line once: the cart's coupon, or of several units a code once per order. */
export function isTakenOnce({ step, total }: Pick<Step, 'step' | 'total'>, units: number): boolean {
  return step === 'coupon' || (step === 'code' && total !== units);
}

/** "Coupon SPRING": what the discount of the lines comes from. */
export function discountLabel(lines: readonly PricedUnits[]): string {
  const once = lines.flatMap(({ steps, units }) => steps.filter((step) => isTakenOnce(step, units)));
  return ['Coupon', [...new Set(once.map(({ name }) => name))].join(', ')].join(' ').trim();
}

/** "Code SPRING", with how often it counts where the unit price does not say it. */
export function codeLabel(step: Pick<Step, 'step' | 'name' | 'total'>, units: number): string {
  return `Code ${isolated(step.name)}${isTakenOnce(step, units) ? ', once per order' : ''}`;
}
