import { Icon } from '../ui/Icon';
import { useNow } from './useNow';

const SOON_MS = 5 * 60_000;

/** The last minutes of a transaction are told; before that nobody needs to hurry. */
export function ExpiryHint({ expiresAt }: { expiresAt: string }) {
  const now = useNow(15_000);
  const left = now === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  return (
    <div role="status">
      {left < SOON_MS && (
        <p className="form-news">
          <Icon name="clock" />
          <span>{wordsOf(left)}</span>
        </p>
      )}
    </div>
  );
}

function wordsOf(left: number): string {
  if (left <= 0) return 'The time for this is over. What you send now leads back to the start.';
  const minutes = Math.ceil(left / 60_000);
  const time = minutes === 1 ? 'one more minute' : `${minutes} more minutes`;
  return `For your safety this stays open for ${time}.`;
}
