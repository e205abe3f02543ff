import { useSyncExternalStore } from 'react';
import { keepOffer, offerCookies } from '../browser/cookies';
import { createStore } from '../browser/store';
import { post } from './client';

type Answer = { Status: string; CouponID: number | string; Coupon: string };

const code = createStore('');
let asking: Promise<void> | null = null;

/** The code of the special offer; "" while there is none, and in what the server draws. */
export function useOffer(): string {
  return useSyncExternalStore(code.subscribe, code.get, () => '');
}

/**
 * Specification §4: asked for once, while the cookie specialcouponcheck is missing. A failed fetch sets nothing, shows
 * nothing, and is tried on the next load.
 */
export function checkOffer(): Promise<void> {
  if (offerCookies().wasChecked) code.set(offerCookies().code);
  else asking ??= ask().then(() => code.set(offerCookies().code));
  return asking ?? Promise.resolve();
}

async function ask(): Promise<void> {
  try {
    const { Status, CouponID, Coupon } = await post<Answer>('/GetSpecialCouponDetail', {});
    keepOffer(Status === 'success' ? { id: String(CouponID), code: Coupon } : null);
  } catch (problem) {
    // biome-ignore lint/suspicious/noConsole: specification §8, the failure is only logged
    console.info('The special offer could not be fetched:', String(problem));
  }
}
