import { useEffect, useState } from 'react';
import { useRefresh } from '../api/session/privatePage';
import { whenVisible } from '../browser/whenVisible';
import type { VisitReportProps } from '../contracts/schema';
import { Notice } from '../ui/Notice';

// A day takes seconds, and each look at figures is recorded.
const WAITS_MS = [3_000, 5_000, 10_000, 10_000, 30_000, 60_000];

type ReportProgressProps = { progress: NonNullable<VisitReportProps['progress']> };

/**
 * Loads the report again until all of its days have been computed, and says beside figures that some have not; where
 * there is none yet, the page says it in their place.
 */
export function ReportProgress({ progress: { title, text, advice, isBlank } }: ReportProgressProps) {
  useRepeatedRefresh();
  if (isBlank) return null;
  return (
    <Notice title={title}>
      <p>{text}</p>
      <p className="hint">{advice}</p>
    </Notice>
  );
}

/** Loads the page again after each of WAITS_MS, then always after the last; while nobody looks at it, it waits. */
function useRepeatedRefresh(): void {
  const refresh = useRefresh();
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    let stopWaiting = () => {};
    const load = () => {
      // A load that fails is repeated.
      refresh()
        .catch(() => undefined)
        .finally(() => setLoads((count) => count + 1));
    };
    const timer = setTimeout(
      () => {
        stopWaiting = whenVisible(load);
      },
      WAITS_MS[Math.min(loads, WAITS_MS.length - 1)],
    );
    return () => {
      clearTimeout(timer);
      stopWaiting();
    };
  }, [loads, refresh]);
}
