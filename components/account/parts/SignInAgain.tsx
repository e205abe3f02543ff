import { providerPage } from '../../api/identity';
import { FormError } from '../../forms/FormError';
import { Notice } from '../../ui/Notice';
import type { Outcome } from './useSubmit';

/** The provider requires a newer sign-in for this call. */
export function SignInAgain({ maxAge, returnTo = '/profile' }: { maxAge: number; returnTo?: string }) {
  return (
    <div role="alert">
      <Notice kind="warning" title="Please sign in again">
        <p>For your safety this needs a sign-in of a few minutes ago. You come straight back here.</p>
        <a className="button button--quiet" href={providerPage({ returnTo, maxAge })}>
          Sign in again
        </a>
      </Notice>
    </div>
  );
}

/** The error of the last submission. */
export function SubmitError({ task }: { task: Outcome }) {
  return task.maxAge === null ? <FormError text={task.text} /> : <SignInAgain maxAge={task.maxAge} />;
}
