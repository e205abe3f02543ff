import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { logVisit, resendVisits } from '../api/visits';
import { onceSeen, onPageRestored, onReconnect } from '../browser/windowEvents';

/**
 * Exactly one visit on load, on every route change (path or query, never the hash) and on every return from the
 * back/forward cache; none before the page is seen (docs/readings.md, "Visits").
 */
export function useVisitLog(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    const log = () => void logVisit(pathname, search);
    const stopWaiting = onceSeen(log);
    const stopReturns = onPageRestored(log);
    return () => {
      stopWaiting();
      stopReturns();
    };
  }, [pathname, search]);
  useEffect(() => onReconnect(() => void resendVisits()), []);
}
