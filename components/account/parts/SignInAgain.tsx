import { providersPage } from '../api/identity';
import { FormProblem } from '../ui/FormProblem';
import { Notice } from '../ui/Notice';
import type { Outcome } from './useTask';

/** The provider wants to see a fresh sign-in before it goes on. */
export function SignInAgain({ maxAge, returnTo = '/profile' }: { maxAge: number; returnTo?: string }) {
  return (
    <div role="alert">
      <Notice kind="warning" title="Please sign in again">
        <p>For your safety this needs a sign-in of a few minutes ago. You come straight back here.</p>
        <a className="button button--quiet" href={providersPage({ returnTo, maxAge })}>
          Sign in again
        </a>
      </Notice>
    </div>
  );
}

/** What stands against a change that was tried. */
export function TaskProblem({ task }: { task: Outcome }) {
  return task.maxAge === null ? <FormProblem text={task.text} /> : <SignInAgain maxAge={task.maxAge} />;
}
