import type { NewCoupon, NewCouponBatch } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { textOf } from '../../forms/call/formValues';
import { instantOf } from '../../forms/zonedTime';

export const ZONE = 'UTC';

type Terms = Omit<NewCoupon, 'code'>;
type Limits = { totalLimit: string; learnerLimit: string };
type CouponTexts = { coupon: NewCoupon } & Limits;
type BatchTexts = { batch: Omit<NewCouponBatch, 'idempotencyKey'>; numberText: string } & Limits;

/** The coupon, and its limits as they were typed. */
export function readCoupon(data: FormData): CouponTexts {
  return { coupon: { ...readTerms(data), code: textOf(data, 'code') }, ...readLimits(data) };
}

/** The batch, and its numbers as they were typed. */
export function readBatch(data: FormData): BatchTexts {
  const numberText = textOf(data, 'number');
  const batch = { ...readTerms(data), number: Number(numberText), prefix: textOf(data, 'prefix') };
  return { batch, numberText, ...readLimits(data) };
}

const readLimits = (data: FormData): Limits => ({
  totalLimit: textOf(data, 'totalLimit'),
  learnerLimit: textOf(data, 'learnerLimit'),
});

function readTerms(data: FormData): Terms {
  const text = (name: string) => textOf(data, name);
  const { totalLimit, learnerLimit } = readLimits(data);
  return {
    kind: text('kind') === 'amount' ? 'amount' : 'percent',
    value: text('value'),
    oncePerOrder: data.has('oncePerOrder'),
    minimum: text('minimum'),
    appliesTo: text('appliesTo'),
    products: text('products').split(/\s+/).filter(Boolean),
    startsAt: instantOf(text('startsAt'), ZONE),
    endsAt: instantOf(text('endsAt'), ZONE),
    totalLimit: totalLimit ? Number(totalLimit) : null,
    learnerLimit: learnerLimit ? Number(learnerLimit) : null,
    organisation: text('organisation'),
    isSpecial: data.has('isSpecial'),
    isDraft: data.has('isDraft'),
    campaign: text('campaign'),
    reason: text('reason'),
  };
}

/** Errors that need no call, by field. */
export function couponErrors({ coupon, ...limits }: CouponTexts): FieldErrors {
  return { ...(coupon.code ? {} : { code: 'Enter the code.' }), ...termErrors(coupon, limits) };
}

export function batchErrors({ batch, numberText, ...limits }: BatchTexts): FieldErrors {
  const isNumber = /^[1-9]\d{0,4}$/.test(numberText) && batch.number <= 10_000;
  const errors = termErrors(batch, limits);
  return isNumber ? errors : { number: 'Enter a whole number from 1 to 10,000.', ...errors };
}

function termErrors({ value }: Terms, { totalLimit, learnerLimit }: Limits): FieldErrors {
  const errors: Record<string, string> = {};
  if (!value) errors.value = 'Enter what it takes off.';
  for (const [name, text] of Object.entries({ totalLimit, learnerLimit }))
    if (text && !/^[1-9]\d{0,8}$/.test(text)) errors[name] = 'Enter a whole number, or nothing for no limit.';
  return errors;
}
