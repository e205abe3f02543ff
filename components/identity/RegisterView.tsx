import { useLocation } from 'react-router-dom';
import { loginAddress, safeReturn } from '../api/returnTo';
import { FlowFailure } from './FlowFailure';
import { FlowView } from './FlowView';
import { begin } from './flowActions';
import { useFlow } from './flowStore';
import { IdentitySkeleton } from './IdentityCard';
import { useFlowStart } from './useFlowStart';

/** The whole of /register: the provider's own form for new accounts. */
export function RegisterView() {
  const returnTo = useReturnTo();
  const { transaction, failure } = useFlow();
  // The first step has a way of its own to the sign-in.
  const isOffered = transaction?.steps.some(({ name }) => name === 'select-identify') ?? !failure;
  return (
    <>
      <FlowView flows={['register']}>
        <RegisterStart returnTo={returnTo} />
      </FlowView>
      {!isOffered && (
        <p className="identity-foot">
          {'You have an account already? '}
          <a href={loginAddress(returnTo)}>Sign in</a>
        </p>
      )}
    </>
  );
}

function RegisterStart({ returnTo }: { returnTo: string }) {
  const { failure } = useFlow();
  const beginning = { flow: 'register' as const, area: 'learner' as const, returnTo };
  useFlowStart(beginning);
  if (!failure) return <IdentitySkeleton title="Create your account" />;
  return <FlowFailure title="Create your account" failure={failure} onRetry={() => void begin(beginning)} />;
}

/** Where the query says to come back to. */
export function useReturnTo(): string {
  return safeReturn(new URLSearchParams(useLocation().search).get('returnTo'));
}
