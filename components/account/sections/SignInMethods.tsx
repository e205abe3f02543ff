import { startFlow } from '../api/identity';
import { leaveTo } from '../browser/leaving';
import { keepFlow } from '../browser/typed';
import { Section } from './Section';
import { TaskProblem } from './SignInAgain';
import { useTask } from './useTask';

/** More ways to prove that it is you: the provider offers what its rules allow. */
export function WaysSection({ email }: { email: string }) {
  const task = useTask();

  async function begin() {
    const beginning = {
      flow: 'authenticate',
      area: 'learner',
      returnTo: '/profile',
      username: email,
    } as const;
    const isDone = await task.run(() => startFlow(beginning));
    if (!isDone) return;
    keepFlow('authenticate');
    // Anew: nothing that this page remembers of another flow may stand in the way.
    leaveTo('/verify');
  }

  return (
    <Section
      id="ways"
      title="Ways to sign in"
      text="A second way keeps your account yours when a password leaks, and lets you in when one is forgotten."
    >
      <TaskProblem task={task} />
      <p className="account-empty">
        A code by e-mail or phone, an authenticator app, an approval on your phone, a passkey or a security
        question.
      </p>
      <button
        type="button"
        className="button button--quiet"
        aria-disabled={task.isBusy}
        onClick={() => void begin()}
      >
        {task.isBusy ? 'One moment…' : 'Set up another way'}
      </button>
    </Section>
  );
}
