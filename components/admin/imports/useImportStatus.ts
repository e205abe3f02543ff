import { useEffect, useState } from 'react';
import { readImport } from '../../api/admin/imports';
import type { ImportStatus } from '../../contracts/schema';

const WAITS_MS = [1000, 2000, 4000];

export const isRunning = ({ state }: ImportStatus) => state === 'queued' || state === 'running';

/** The status, asked for again after 1, 2 and then every 4 seconds until it has ended. A call that fails is repeated. */
export function useImportStatus(initial: ImportStatus): [ImportStatus, (status: ImportStatus) => void] {
  const [status, setStatus] = useState(initial);
  const [polls, setPolls] = useState(0);
  const isUnfinished = isRunning(status);
  useEffect(() => {
    if (!isUnfinished) return;
    const wait = WAITS_MS[Math.min(polls, WAITS_MS.length - 1)];
    const timer = setTimeout(async () => {
      const next = await readImport(status.id).catch(() => null);
      if (next) setStatus(next);
      setPolls((count) => count + 1);
    }, wait);
    return () => clearTimeout(timer);
  }, [isUnfinished, polls, status.id]);
  return [status, setStatus];
}
