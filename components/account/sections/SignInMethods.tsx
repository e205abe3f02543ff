import { startFlow } from '../../api/identity';
import { navigateTo } from '../../browser/navigation';
import { saveFlow } from '../../browser/storage/formDrafts';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { Section } from '../parts/Section';

/** Starts the enrolment of another sign-in method; the provider's rules decide which it offers. */
export function SignInMethods({ email }: { email: string }) {
  const task = useCall();

  async function beginFlow() {
    const flowStart = {
      flow: 'authenticate',
      area: 'learner',
      returnTo: '/profile',
      username: email,
    } as const;
    const isDone = await task.run(() => startFlow(flowStart));
    if (!isDone) return;
    saveFlow('authenticate');
    // A full load: the state of another flow in this page must not interfere.
    navigateTo('/verify');
  }

  return (
    <Section
      id="ways"
      title="Ways to sign in"
      text="A second way keeps your account yours when a password leaks, and lets you in when one is forgotten."
    >
      <CallError call={task} />
      <p className="account-empty">
        A code by email or phone, an authenticator app, an approval on your phone, a passkey or a security
        question.
      </p>
      <Button variant="quiet" isBusy={task.isBusy} busyText="Please wait…" onClick={() => void beginFlow()}>
        Set up another way
      </Button>
    </Section>
  );
}
