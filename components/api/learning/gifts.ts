import type { ClaimedGift } from '../../contracts/schema';
import { post } from '../client';

/** Accepts the gift of a link. Rejects with 404 for a link that opens nothing, with 403 and a reason for its giver. */
export function claimGift(token: string): Promise<ClaimedGift> {
  return post<ClaimedGift>('/learning/gifts/claim', { token });
}
