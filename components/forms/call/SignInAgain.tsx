import { providerPage } from '../../api/identity';
import type { Requirement } from '../../api/session/requiredSignIn';
import { useShop } from '../../api/site';
import { returnAddress } from '../../browser/address';
import { Notice } from '../../ui/Notice';
import type { CallOutcome } from './callOutcome';
import { FormError } from './FormError';

type SignInAgainProps = { required: Requirement; returnTo?: string };

/** The call requires a newer or stronger sign-in, which leads back here. */
export function SignInAgain({ required, returnTo = '/profile' }: SignInAgainProps) {
  const area = useShop().page?.session?.learner.area;
  // Whoever works in an area comes back to it; a learner's account pages keep what they were allowed.
  const isLearner = area === undefined || area === 'learner';
  const options = isLearner ? { ...required, access: 'account' as const } : { ...required, area };
  return (
    <div role="alert">
      <Notice kind="warning" title="Please sign in again">
        <p>For your safety this needs a sign-in of a few minutes ago. You come straight back here.</p>
        <a
          className="button button--quiet"
          href={providerPage({ returnTo, ...options })}
          onClick={({ currentTarget }) => {
            currentTarget.href = providerPage({ returnTo: returnAddress(), ...options });
          }}
        >
          Sign in again
        </a>
      </Notice>
    </div>
  );
}

/** The error of the last call. */
export function CallError({ call }: { call: Pick<CallOutcome, 'text' | 'signIn'> }) {
  return call.signIn ? <SignInAgain required={call.signIn} /> : <FormError text={call.text} />;
}
