import type {
  BatchCodes,
  CouponChanged,
  CouponCreated,
  CouponLabCart,
  CouponLabQuote,
  CouponReason,
  NewCoupon,
  NewCouponBatch,
} from '../../contracts/schema';
import { post } from '../client';

export type CouponAction = 'pause' | 'resume' | 'end';

/** Coupons by staff. Both may reject with ApiProblem. */
export const createCoupon = (coupon: NewCoupon) => post<CouponCreated>('/admin/coupons', coupon);
/** The answer has the id of the batch, which is made after it. The same key makes nothing again. */
export const createBatch = (batch: Omit<NewCouponBatch, 'idempotencyKey'>, idempotencyKey: string) =>
  post<CouponCreated>('/admin/coupons/batches', { ...batch, idempotencyKey });
/** The codes of a batch, which are handed out once; the same key gets them again. `call`: from the page. */
export const takeBatch = (call: string, idempotencyKey: string) => post<BatchCodes>(call, { idempotencyKey });
export const changeCoupon = (id: number, action: CouponAction, reason: CouponReason) =>
  post<CouponChanged>(`/admin/coupons/${id}/${action}`, reason);

/** What a cart would cost; nothing is reserved. May reject with ApiProblem. */
export const priceInLab = (cart: CouponLabCart) => post<CouponLabQuote>('/admin/coupons/lab', cart);
