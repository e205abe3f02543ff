import { FormError } from '../../forms/call/FormError';
import type { Failure } from '../flow/flowStore';
import { IdentityCard } from './IdentityCard';

type FlowFailureProps = { title: string; failure: Failure; onRetry: () => void };

/** The first form of a flow could not be loaded. */
export function FlowFailure({ title, failure, onRetry }: FlowFailureProps) {
  const text = failure.text || Object.values(failure.errors).join(' ');
  return (
    <IdentityCard title={title}>
      <FormError text={text} />
      <button type="button" className="button button--wide" onClick={onRetry}>
        Try again
      </button>
    </IdentityCard>
  );
}
