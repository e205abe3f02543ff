import { useSyncExternalStore } from 'react';
import { offerCookies, saveOffer } from '../browser/storage/cookies';
import { createStore } from '../browser/store';
import type { SpecialCoupon } from '../contracts/schema';
import { post } from './client';

const code = createStore('');
let pending: Promise<void> | null = null;

/** The code of the special offer; "" without one, and on the server. */
export function useOffer(): string {
  return useSyncExternalStore(code.subscribe, code.get, () => '');
}

/**
 * Specification §4: fetched once, while the cookie specialcouponcheck is missing. A failed fetch sets and shows
 * nothing and is repeated on the next load.
 */
export function checkOffer(): Promise<void> {
  if (offerCookies().wasChecked) code.set(offerCookies().code);
  else pending ??= fetchOffer().then(() => code.set(offerCookies().code));
  return pending ?? Promise.resolve();
}

async function fetchOffer(): Promise<void> {
  try {
    const { Status, CouponID, Coupon } = await post<SpecialCoupon>('/GetSpecialCouponDetail', {});
    saveOffer(Status === 'success' ? { id: String(CouponID), code: Coupon } : null);
  } catch (problem) {
    // biome-ignore lint/suspicious/noConsole: specification §8, the failure is only logged
    console.info('The special offer could not be fetched:', String(problem));
  }
}
