import type { OutcomeSchema } from '../../contracts/schema';
import { post } from '../client';

/** Sends the email of a gift once more. Rejects with 403 and a reason, and with 429 after too many. */
export function sendGiftAgain(code: string, line: number): Promise<OutcomeSchema> {
  return post<OutcomeSchema>(`/orders/${code}/gifts/${line}/mail`, {});
}
