import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { logVisit, resendVisits } from '../api/visits';
import { onReconnect } from '../browser/windowEvents';

/** Exactly one visit on load and on every route change: path or query, never the hash (docs/readings.md, "Visits"). */
export function useVisitLog(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    void logVisit(pathname, search);
  }, [pathname, search]);
  useEffect(() => onReconnect(() => void resendVisits()), []);
}
