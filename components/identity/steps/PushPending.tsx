import type { Step } from '../../api/identity';
import { Icon } from '../../ui/Icon';
import { resumePolling } from '../flow/usePolling';

type PushPendingProps = { step: Step; hasStopped: boolean };

/** Waits for an action on another device; the page polls for it. */
export function PushPending({ step, hasStopped }: PushPendingProps) {
  const number = step.authenticator?.data?.correctAnswer;
  return (
    <div className="push-pending">
      {number !== undefined && (
        <p className="push-pending__number">
          <span className="muted">Choose this number in the app</span>
          <strong className="push-pending__digits">{number}</strong>
        </p>
      )}
      <div role="status">
        {hasStopped ? (
          <p className="form-news">
            <Icon name="warning" />
            <span>The connection was lost, so this page has stopped asking.</span>
          </p>
        ) : (
          <p className="push-pending__waiting">
            <span className="push-pending__ring ring" />
            Waiting for your phone…
          </p>
        )}
      </div>
      {hasStopped && (
        <button type="button" className="button button--wide" onClick={resumePolling}>
          Check again
        </button>
      )}
    </div>
  );
}
