import type { Step } from '../api/identity';
import { Icon } from '../ui/Icon';
import { askAgain } from './usePolling';

type PushWaitingProps = { step: Step; hasStopped: boolean };

/** Nothing to type: something happens on another device, and this page hears of it by itself. */
export function PushWaiting({ step, hasStopped }: PushWaitingProps) {
  const number = step.authenticator?.data?.correctAnswer;
  return (
    <div className="push">
      {number !== undefined && (
        <p className="push__number">
          <span className="push__hint">Choose this number in the app</span>
          <strong className="push__digits">{number}</strong>
        </p>
      )}
      <div role="status">
        {hasStopped ? (
          <p className="form-news">
            <Icon name="warning" />
            <span>The connection was lost, so this page has stopped asking.</span>
          </p>
        ) : (
          <p className="push__waiting">
            <span className="push__ring" />
            Waiting for your phone…
          </p>
        )}
      </div>
      {hasStopped && (
        <button type="button" className="button button--wide" onClick={askAgain}>
          Check again
        </button>
      )}
    </div>
  );
}
