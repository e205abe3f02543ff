import type { Requirement } from '../../api/account';
import { providerPage } from '../../api/identity';
import { FormError } from '../../forms/FormError';
import { Notice } from '../../ui/Notice';
import type { Outcome } from './useSubmit';

type SignInAgainProps = { required: Requirement; returnTo?: string };

/** The provider requires a newer or stronger sign-in for this call. */
export function SignInAgain({ required, returnTo = '/profile' }: SignInAgainProps) {
  return (
    <div role="alert">
      <Notice kind="warning" title="Please sign in again">
        <p>For your safety this needs a sign-in of a few minutes ago. You come straight back here.</p>
        <a className="button button--quiet" href={providerPage({ returnTo, ...required })}>
          Sign in again
        </a>
      </Notice>
    </div>
  );
}

/** The error of the last submission. */
export function SubmitError({ task }: { task: Outcome }) {
  return task.signIn ? <SignInAgain required={task.signIn} /> : <FormError text={task.text} />;
}
