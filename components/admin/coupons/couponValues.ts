import type { NewCoupon } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { textOf } from '../../forms/call/formValues';
import { instantOf } from '../../forms/zonedTime';

export const ZONE = 'UTC';

type CouponTexts = { coupon: NewCoupon; totalLimit: string; learnerLimit: string };

/** The coupon, and its limits as they were typed. */
export function readCoupon(data: FormData): CouponTexts {
  const text = (name: string) => textOf(data, name);
  const [totalLimit, learnerLimit] = [text('totalLimit'), text('learnerLimit')];
  const coupon: NewCoupon = {
    code: text('code'),
    kind: text('kind') === 'amount' ? 'amount' : 'percent',
    value: text('value'),
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
  return { coupon, totalLimit, learnerLimit };
}

/** Errors that need no call, by field. */
export function couponErrors({ coupon, totalLimit, learnerLimit }: CouponTexts): FieldErrors {
  const errors: Record<string, string> = {};
  if (!coupon.code) errors.code = 'Enter the code.';
  if (!coupon.value) errors.value = 'Enter what it takes off.';
  for (const [name, text] of Object.entries({ totalLimit, learnerLimit }))
    if (text && !/^[1-9]\d{0,8}$/.test(text)) errors[name] = 'Enter a whole number, or nothing for no limit.';
  return errors;
}
