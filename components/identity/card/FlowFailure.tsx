import { FormProblem } from '../ui/FormProblem';
import type { Failure } from './flowStore';
import { IdentityCard } from './IdentityCard';

type FlowFailureProps = { title: string; failure: Failure; onRetry: () => void };

/** The first form could not be had. */
export function FlowFailure({ title, failure, onRetry }: FlowFailureProps) {
  const text = failure.text || Object.values(failure.errors).join(' ');
  return (
    <IdentityCard title={title}>
      <FormProblem text={text} />
      <button type="button" className="button button--wide" onClick={onRetry}>
        Try again
      </button>
    </IdentityCard>
  );
}
