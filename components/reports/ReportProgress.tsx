import { useRefresh } from '../api/session/privatePage';
import type { VisitReportProps } from '../contracts/schema';
import { Notice } from '../ui/Notice';
import { useRepeatedLoad } from './useRepeatedLoad';

// A day takes seconds, and each look at figures is recorded.
const WAITS_MS = [3_000, 5_000, 10_000, 10_000, 30_000, 60_000];

type ReportProgressProps = { progress: NonNullable<VisitReportProps['progress']> };

/**
 * Loads the report again until all of its days have been computed, and says beside figures that some have not; where
 * there is none yet, the page says it in their place.
 */
export function ReportProgress({ progress: { title, text, advice, isBlank } }: ReportProgressProps) {
  useRepeatedLoad(useRefresh(), waitMs);
  if (isBlank) return null;
  return (
    <Notice title={title}>
      <p>{text}</p>
      <p className="hint">{advice}</p>
    </Notice>
  );
}

const waitMs = (loads: number) => WAITS_MS[Math.min(loads, WAITS_MS.length - 1)] ?? 0;
