import { useEffect, useState } from 'react';
import { getOrderStatus } from '../../api/orders/orders';
import { replaceWith } from '../../browser/reload';

const PAUSE_MS = 1_000;
/** As long as the payment provider may take. */
const MAX_LOOKS = 20;

/**
 * Looks every second whether the page to pay on is open, and then goes to `next`, which leads there. Returns false when
 * nobody waits for it: from the beginning without `next`, or when it has not opened in 20 looks.
 */
export function usePageOpening(code: string, next: string | null): boolean {
  const [hasGivenUp, setHasGivenUp] = useState(false);

  useEffect(() => {
    if (next === null) return;
    const address = next;
    let isStopped = false;
    let looks = 0;
    let timer = setTimeout(() => void look(), PAUSE_MS);

    async function look(): Promise<void> {
      looks += 1;
      const status = await getOrderStatus(code, 0).catch(() => null);
      if (isStopped) return;
      if (status && (status.hasPage || status.state !== 'placed')) replaceWith(address);
      else if (looks < MAX_LOOKS) timer = setTimeout(() => void look(), PAUSE_MS);
      else setHasGivenUp(true);
    }

    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [code, next]);

  return next !== null && !hasGivenUp;
}
