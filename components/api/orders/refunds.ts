import type { RefundOutcome, RefundQuestion } from '../../contracts/schema';
import { post } from '../client';

/** Asks for a refund. Rejects with 422 by field, with 409 when the page was open for too long. */
export function requestRefund(code: string, question: Required<RefundQuestion>): Promise<RefundOutcome> {
  return post<RefundOutcome>(`/orders/${code}/refunds`, question);
}
