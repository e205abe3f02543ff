import { useEffect, useState } from 'react';
import { plural } from '../../format/format';

// Providers refuse to send codes more often.
const RETRY_AFTER_S = 30;

type ResendButtonProps = { isBusy: boolean; onResend: () => Promise<void> };

/** Sends the code again, once some time has passed in which it may still arrive. */
export function ResendButton({ isBusy, onResend }: ResendButtonProps) {
  const [remainingS, setRemainingS] = useState(RETRY_AFTER_S);
  const [times, setTimes] = useState(0);

  useEffect(() => {
    if (remainingS === 0) return;
    const timer = setTimeout(() => setRemainingS(remainingS - 1), 1000);
    return () => clearTimeout(timer);
  }, [remainingS]);

  async function again() {
    if (isBusy || remainingS > 0) return;
    await onResend();
    setTimes(times + 1);
    setRemainingS(RETRY_AFTER_S);
  }

  return (
    <p className="hint">
      <span>{remainingS > 0 ? 'Nothing there yet?' : 'Look into the spam folder, too.'}</span>{' '}
      <button
        type="button"
        className="text-button"
        aria-disabled={remainingS > 0 || isBusy}
        onClick={() => void again()}
      >
        {remainingS > 0
          ? `Send it again in ${remainingS} ${plural(remainingS, 'second', 'seconds')}`
          : 'Send it again'}
      </button>
      <span className="sr-only" role="status">
        {times > 0 ? 'It was sent again. Earlier codes have expired.' : ''}
      </span>
    </p>
  );
}
