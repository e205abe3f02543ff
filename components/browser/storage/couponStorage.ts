import type { CouponInfo } from '../api/cartCalls';
import { onOtherTab, readText, writeText } from './keptLists';
import { KEPT } from './names';

/** couponInfo, distrusted: exactly its four fields, or nothing. */
export function readCouponInfo(): CouponInfo | null {
  try {
    const value: unknown = JSON.parse(readText(KEPT.coupon) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const given = value as Record<keyof CouponInfo, unknown>;
    const percentage = amountOf(given.discountPercentage, 100);
    const minimum = amountOf(given.minimumAmount);
    const amount = amountOf(given.discountAmount);
    const type = given.discountProductType;
    if (percentage === null || minimum === null || amount === null || typeof type !== 'string') return null;
    return {
      discountPercentage: percentage,
      minimumAmount: minimum,
      discountProductType: type,
      discountAmount: amount,
    };
  } catch {
    return null;
  }
}

/** Keeps what the cart's coupon takes off; null when the coupon is gone. The code itself is the server's to know. */
export function writeCouponInfo(info: CouponInfo | null): void {
  const { discountPercentage, minimumAmount, discountProductType, discountAmount } = info ?? {};
  const kept = { discountPercentage, minimumAmount, discountProductType, discountAmount };
  const text = info ? JSON.stringify(kept) : null;
  if (readText(KEPT.coupon) !== text) writeText(KEPT.coupon, text);
}

function amountOf(value: unknown, most = 9_999_999_999.99): number | null {
  const amount = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof amount === 'number' && amount >= 0 && amount <= most ? amount : null;
}

export function onOtherTabsCoupon(changed: () => void): () => void {
  return onOtherTab([KEPT.coupon], changed);
}
