import type { BatchCodes, CouponLabCart, CouponLabQuote } from '../../contracts/schema';
import { post } from '../client';

/** The codes of a batch, which are handed out once; the same key gets them again. `call`: from the page. */
export const takeBatch = (call: string, idempotencyKey: string) => post<BatchCodes>(call, { idempotencyKey });

/** What a cart would cost; nothing is reserved. May reject with ApiProblem. */
export const priceInLab = (cart: CouponLabCart) => post<CouponLabQuote>('/admin/coupons/lab', cart);
