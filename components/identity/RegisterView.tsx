import { loginAddress } from '../model/returnTo';
import { FlowFailure } from './card/FlowFailure';
import { IdentitySkeleton } from './card/IdentityCard';
import { FlowView } from './FlowView';
import { begin } from './flow/flowActions';
import { useFlow } from './flow/flowStore';
import { useFlowStart } from './flow/useFlowStart';
import { useReturnTo } from './useReturnTo';

/** The whole of /register: the provider's form for new accounts. `waiting`: what waits at the address to go back to. */
export function RegisterView({ waiting = '' }: { waiting?: string }) {
  const returnTo = useReturnTo();
  const { transaction, failure } = useFlow();
  // The first step has its own link to the sign-in.
  const isOffered = transaction?.steps.some(({ name }) => name === 'select-identify') ?? !failure;
  return (
    <>
      <FlowView flows={['register']} waiting={waiting}>
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
  const flowStart = { flow: 'register' as const, area: 'learner' as const, returnTo };
  useFlowStart(flowStart);
  if (!failure) return <IdentitySkeleton title="Create your account" />;
  return <FlowFailure title="Create your account" failure={failure} onRetry={() => void begin(flowStart)} />;
}
