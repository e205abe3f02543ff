import { useEffect, useState } from 'react';
import { Icon } from '../../ui/Icon';

const SOON_MS = 5 * 60_000;

/** Shows the last minutes of a transaction. */
export function ExpiryHint({ expiresAt }: { expiresAt: string }) {
  const now = useNow(15_000);
  const remainingMs = now === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  return (
    <div role="status">
      {remainingMs < SOON_MS && (
        <p className="form-news">
          <Icon name="clock" />
          <span>{expiryText(remainingMs)}</span>
        </p>
      )}
    </div>
  );
}

function expiryText(remainingMs: number): string {
  if (remainingMs <= 0) return 'This step has expired. If you continue, you start again.';
  const minutes = Math.ceil(remainingMs / 60_000);
  const time = minutes === 1 ? 'one more minute' : `${minutes} more minutes`;
  return `For your safety this stays open for ${time}.`;
}

/** The current time, updated at an interval; null on the first render. */
function useNow(everyMs: number): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
