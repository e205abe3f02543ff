import { useEffect, useState } from 'react';
import { ApiProblem } from '../api/client';
import { useRefresh } from '../api/session/privatePage';
import { syncCart } from '../cart/account/mergeGuestCart';
import { storedCart } from '../cart/store/storedCart';
import type { Checkout } from '../contracts/schema';

/**
 * Whether the checkout has the lines that were added in this browser before the sign-in. The callback of the sign-in has
 * merged them as a rule; else they are merged now, and the page's data is read again. Without an answer the checkout is
 * shown as it came: the cart says what is missing.
 */
export function useMergedCart(checkout: Checkout): boolean {
  const refresh = useRefresh();
  const [isMerged, setIsMerged] = useState(() => !lacksLines(checkout));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the data that the page came with
  useEffect(() => {
    if (isMerged) return;
    syncCart()
      .then(refresh)
      .catch((cause: unknown) => {
        if (!(cause instanceof ApiProblem)) throw cause;
      })
      .finally(() => setIsMerged(true));
  }, []);
  return isMerged;
}

function lacksLines({ lines }: Checkout): boolean {
  const waiting = storedCart().lines.filter(({ status }) => status === 'local');
  return waiting.some(({ id }) => !lines.some((line) => line.id === id));
}
