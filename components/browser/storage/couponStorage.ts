import type { CouponInfo } from '../../model/coupon';
import { LOCAL_KEYS } from './storageKeys';
import { readText, writeText } from './storedList';

/** Validates couponInfo: exactly its four fields, or null. */
export function readCouponInfo(): CouponInfo | null {
  try {
    const value: unknown = JSON.parse(readText(LOCAL_KEYS.coupon) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const fields = value as Record<keyof CouponInfo, unknown>;
    const percentage = amountOf(fields.discountPercentage, 100);
    const minimum = amountOf(fields.minimumAmount);
    const amount = amountOf(fields.discountAmount);
    const type = fields.discountProductType;
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

/** Stores the discount of the cart's coupon; null removes it. The code itself stays on the server. */
export function writeCouponInfo(info: CouponInfo | null): void {
  const { discountPercentage, minimumAmount, discountProductType, discountAmount } = info ?? {};
  const stored = { discountPercentage, minimumAmount, discountProductType, discountAmount };
  const text = info ? JSON.stringify(stored) : null;
  if (readText(LOCAL_KEYS.coupon) !== text) writeText(LOCAL_KEYS.coupon, text);
}

function amountOf(value: unknown, max = 9_999_999_999.99): number | null {
  const amount = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof amount === 'number' && amount >= 0 && amount <= max ? amount : null;
}

/** Calls back when another tab changes the coupon; returns a function that stops it. */
export function onOtherTabsCoupon(changed: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    // A null key means that the storage was cleared.
    if (key === null || key === LOCAL_KEYS.coupon) changed();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
