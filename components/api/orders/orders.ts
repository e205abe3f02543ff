import type { OrderStatus } from '../../contracts/schema';
import { get, post } from '../client';

/** The state of an order, for its learner or for whoever placed it in this browser. `polls`: how often the page asks. */
export function getOrderStatus(code: string, polls: number): Promise<OrderStatus> {
  return get<OrderStatus>(`/orders/${code}/status?poll=${polls}`);
}

/** Resolves to the address of the payment page. Rejects with 409 when nothing can be paid any more. */
export async function payOrder({ code, paymentKey }: OrderKey): Promise<string> {
  return (await post<{ redirect: string }>(`/orders/${code}/pay`, { key: paymentKey })).redirect;
}

/** Gives up an order that is not paid. */
export function cancelOrder({ code, paymentKey }: OrderKey): Promise<CancelOutcome> {
  return post<CancelOutcome>(`/orders/${code}/cancel`, { key: paymentKey });
}

type OrderKey = { code: string; paymentKey: string };
type CancelOutcome = { status: 'success' | 'failed'; message: string };
