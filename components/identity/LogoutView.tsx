import { useAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { signOut } from '../api/identity';
import { endSignIn } from '../api/session/endSignIn';
import { leaveFor } from '../browser/navigation';
import { clearDrafts } from '../browser/storage/formDrafts';
import { clearForms } from '../browser/storage/savedForms';
import { FormError } from '../forms/call/FormError';
import { useCall } from '../forms/call/useCall';
import { Button } from '../ui/controls/Button';
import { IdentityCard } from './card/IdentityCard';

/** The whole of /logout. Opening it does not sign out: an image on another site could request it. */
export function LogoutView() {
  const { learner } = useAuth();
  const call = useCall();

  const leave = () =>
    call.run(async () => {
      const redirect = await signOut().then(
        (answer) => answer.redirect,
        (problem: unknown) => {
          // The session has ended already.
          if (problem instanceof ApiProblem && problem.status === 401) return null;
          throw problem;
        },
      );
      endHere();
      if (redirect !== null) await leaveFor(redirect);
    });

  if (!learner && !call.isBusy) return <SignedOut />;
  return (
    <IdentityCard title="Sign out?" text="Your cart and wishlist stay with your account.">
      <FormError text={call.text && `You are still signed in. ${call.text}`} />
      {learner?.email && <p className="identity__learner">{learner.email}</p>}
      <div className="identity__buttons">
        <Button isWide isBusy={call.isBusy} busyText="Signing out…" onClick={() => void leave()}>
          Sign out
        </Button>
        <a className="button button--quiet button--wide" href="/">
          Stay signed in
        </a>
      </div>
    </IdentityCard>
  );
}

function endHere(): void {
  endSignIn();
  clearDrafts();
  clearForms();
}

export function SignedOut() {
  return (
    <IdentityCard title="You are signed out" text="Nobody is signed in to this site in this browser.">
      <div className="identity__buttons">
        <a className="button button--wide" href="/login">
          Sign in
        </a>
        <a className="button button--quiet button--wide" href="/shop">
          Browse the catalogue
        </a>
      </div>
    </IdentityCard>
  );
}
