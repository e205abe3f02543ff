export type StepName = 'list' | 'sale' | 'organisation' | 'code' | 'coupon' | 'tax';

/** `change` is what the step took off the line (below 0) or added, `total` what the line then costs; minor units. */
export type Step = { step: StepName; name: string; change: number; total: number };

/** An offer that could have lowered the line and did not; `total` is what the line would have cost with it. */
export type Loser = {
  step: StepName;
  name: string;
  total: number;
  reason: 'dearer' | 'same';
  message: string;
};

/** An offer that a rule refused, on one line or (null) for the whole cart. */
export type Refusal = {
  step: StepName;
  name: string;
  lineId: number | null;
  reason: string;
  message: string;
};
