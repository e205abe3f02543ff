import { useState } from 'react';
import { refreshAuth, useAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { signOut } from '../api/identity';
import { navigateTo } from '../browser/navigation';
import { clearLogin } from '../browser/storage/cookies';
import { clearDrafts } from '../browser/storage/formDrafts';
import { apiErrorText } from '../forms/apiErrorText';
import { BusyButton } from '../forms/BusyButton';
import { FormError } from '../forms/FormError';
import { IdentityCard } from './card/IdentityCard';

/** The whole of /logout. Opening it does not sign out: an image on another site could request it. */
export function LogoutView() {
  const { learner } = useAuth();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function leave() {
    if (isBusy) return;
    setIsBusy(true);
    setProblem('');
    try {
      const { redirect } = await signOut();
      endHere();
      navigateTo(redirect);
    } catch (cause) {
      // The session has ended already.
      if (cause instanceof ApiProblem && cause.status === 401) endHere();
      else setProblem(`You are still signed in. ${apiErrorText(cause)}`);
      setIsBusy(false);
    }
  }

  if (!learner && !isBusy) return <SignedOut />;
  return (
    <IdentityCard title="Sign out?" text="Your cart and wishlist stay with your account.">
      <FormError text={problem} />
      {learner?.email && <p className="identity__learner">{learner.email}</p>}
      <div className="identity__buttons">
        <BusyButton
          className="button button--wide"
          isBusy={isBusy}
          busy="Signing out…"
          onClick={() => void leave()}
        >
          Sign out
        </BusyButton>
        <a className="button button--quiet button--wide" href="/">
          Stay signed in
        </a>
      </div>
    </IdentityCard>
  );
}

function endHere(): void {
  clearLogin();
  clearDrafts();
  refreshAuth();
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
