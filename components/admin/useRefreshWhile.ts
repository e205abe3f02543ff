import { useEffect, useState } from 'react';
import { useRefresh } from '../api/session/privatePage';
import { onVisible } from '../browser/visibility';

const WAITS_MS = [1000, 2000, 4000];

/**
 * Loads the page again while something is under way: after each of `waitsMs` (1, 2 and 4 seconds), then always after
 * the last. A page that nobody looks at waits until somebody does.
 */
export function useRefreshWhile(isRunning: boolean, waitsMs: number[] = WAITS_MS): void {
  const refresh = useRefresh();
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const waitMs = waitsMs[Math.min(loads, waitsMs.length - 1)];
    let stopWaiting = () => {};
    const timer = setTimeout(() => {
      stopWaiting = onVisible(() => {
        // A load that fails is repeated.
        refresh()
          .catch(() => undefined)
          .finally(() => setLoads((count) => count + 1));
      });
    }, waitMs);
    return () => {
      clearTimeout(timer);
      stopWaiting();
    };
  }, [isRunning, loads, refresh, waitsMs]);
}
