import { countOf, useCart } from '../../cart/store/cartStore';
import { useReturnTo } from '../../identity/useReturnTo';

/**
 * What waits at the address to go back to, in words; "" for nothing. `known`: what the host knows of it; of a guest's
 * cart this browser knows.
 */
export function useWaiting(known: string): string {
  const count = countOf(useCart().lines);
  const isBuying = /^\/(?:cart|checkout)(?:[/?#]|$)/.test(useReturnTo());
  if (known || !isBuying || count === 0) return known;
  return count === 1 ? 'Your item is kept.' : `Your ${count} items are kept.`;
}
