import { useEffect, useState } from 'react';
import { plural } from '../ui/format';

// Providers refuse to send more often.
const PAUSE_S = 30;

type ResendButtonProps = { isBusy: boolean; onResend: () => Promise<void> };

/** Sends the code again, once some time has passed in which it may still arrive. */
export function ResendButton({ isBusy, onResend }: ResendButtonProps) {
  const [left, setLeft] = useState(PAUSE_S);
  const [times, setTimes] = useState(0);

  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function again() {
    if (isBusy || left > 0) return;
    await onResend();
    setTimes(times + 1);
    setLeft(PAUSE_S);
  }

  return (
    <p className="resend">
      <span>{left > 0 ? 'Nothing there yet?' : 'Look into the spam folder, too.'}</span>{' '}
      <button
        type="button"
        className="text-button"
        aria-disabled={left > 0 || isBusy}
        onClick={() => void again()}
      >
        {left > 0 ? `Send it again in ${left} ${plural(left, 'second', 'seconds')}` : 'Send it again'}
      </button>
      <span className="sr-only" role="status">
        {times > 0 ? 'It was sent again. Earlier codes are no longer good.' : ''}
      </span>
    </p>
  );
}
