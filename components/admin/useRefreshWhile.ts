import { useEffect, useState } from 'react';
import { useRefresh } from '../api/session/privatePage';

const WAITS_MS = [1000, 2000, 4000];

/** Loads the page again after 1, 2 and then every 4 seconds while something is under way. */
export function useRefreshWhile(isRunning: boolean): void {
  const refresh = useRefresh();
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(
      () => {
        // A load that fails is repeated.
        refresh()
          .catch(() => undefined)
          .finally(() => setLoads((count) => count + 1));
      },
      WAITS_MS[Math.min(loads, WAITS_MS.length - 1)],
    );
    return () => clearTimeout(timer);
  }, [isRunning, loads, refresh]);
}
