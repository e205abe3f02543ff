import type { Checkout, CheckoutOrder, CheckoutResult } from '../contracts/schema';
import { ApiProblem, get, post, put } from './client';

/** What was typed, by name of the field. */
export type Values = Record<string, string>;

/** Longer than the host's own limits: a visitor who waits longer is told that no answer came. */
const READ_MS = 10_000;
/** Placing waits in turn, then for the database and for the page of the payment. */
const PLACE_MS = 30_000;
const MAX_ATTEMPTS = 3;
const MAX_WAIT_S = 5;

export function getCheckout(): Promise<Checkout> {
  return get<Checkout>('/checkout', { signal: AbortSignal.timeout(READ_MS) });
}

/** Stores what was typed, also when the page is left meanwhile; the answer has its fields and prices. */
export function putCheckout(values: Values, service: string): Promise<Checkout> {
  return put<Checkout>(
    '/checkout',
    { values, service },
    { keepalive: true, signal: AbortSignal.timeout(READ_MS) },
  );
}

/** What a refused call says of the checkout as it is now; null: nothing. */
export function checkoutIn(problem: unknown): Checkout | null {
  const isRefusal = problem instanceof ApiProblem && (problem.status === 409 || problem.status === 422);
  return isRefusal && problem.members.checkout ? (problem.members.checkout as Checkout) : null;
}

/**
 * Places the order. The same key never places a second one, whatever became of the first answer. A site that is busy
 * says when to ask again, and is asked.
 */
export async function placeOrder(order: CheckoutOrder): Promise<CheckoutResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post<CheckoutResult>('/checkout', order, { signal: AbortSignal.timeout(PLACE_MS) });
    } catch (problem) {
      const waitS = busyS(problem);
      if (waitS === null || attempt === MAX_ATTEMPTS) throw problem;
      await new Promise((resolve) => setTimeout(resolve, waitS * 1000));
    }
  }
}

/** After how many seconds to ask again; null: asking again would not help soon. */
function busyS(problem: unknown): number | null {
  if (!(problem instanceof ApiProblem) || problem.status !== 503) return null;
  const { retryAfterS } = problem;
  return retryAfterS !== null && retryAfterS <= MAX_WAIT_S ? retryAfterS : null;
}
