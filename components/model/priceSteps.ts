import type { RefusalSchema, RejectedOfferSchema, StepSchema } from '../contracts/schema';

/** `change` is the difference that the step makes to the line, `total` the line's price after it; minor units. */
export type Step = StepSchema;
export type StepName = Step['step'];

/** An offer that could have lowered the line and did not; `total` is what the line would have cost with it. */
export type RejectedOffer = RejectedOfferSchema;

/** An offer that a rule refused, on one line or (null) for the whole cart. */
export type Refusal = RefusalSchema;
