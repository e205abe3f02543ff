import type {
  CouponChanged,
  CouponCreated,
  CouponLabCart,
  CouponLabQuote,
  CouponReason,
  NewCoupon,
} from '../../contracts/schema';
import { post } from '../client';

export type CouponAction = 'pause' | 'resume' | 'end';

/** Coupons by staff. Both may reject with ApiProblem. */
export const createCoupon = (coupon: NewCoupon) => post<CouponCreated>('/admin/coupons', coupon);
export const changeCoupon = (id: number, action: CouponAction, reason: CouponReason) =>
  post<CouponChanged>(`/admin/coupons/${id}/${action}`, reason);

/** What a cart would cost; nothing is reserved. May reject with ApiProblem. */
export const priceInLab = (cart: CouponLabCart) => post<CouponLabQuote>('/admin/coupons/lab', cart);
