import { useState } from 'react';
import { refreshAuth, useAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { signOut } from '../api/identity';
import { clearLogin } from '../browser/cookies';
import { leaveTo } from '../browser/leaving';
import { forgetTyped } from '../browser/typed';
import { FormProblem } from '../ui/FormProblem';
import { problemText } from '../ui/problemText';
import { IdentityCard } from './IdentityCard';

/** The whole of /logout. Coming here does nothing by itself: a picture on a foreign page could lead here. */
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
      leaveTo(redirect);
    } catch (cause) {
      // A sign-in that is no more needs no signing out.
      if (cause instanceof ApiProblem && cause.status === 401) endHere();
      else setProblem(`You are still signed in. ${problemText(cause)}`);
      setIsBusy(false);
    }
  }

  if (!learner && !isBusy) return <SignedOut />;
  return (
    <IdentityCard title="Sign out?" text="Your cart and wishlist stay with your account.">
      <FormProblem text={problem} />
      {learner?.email && <p className="identity__who">{learner.email}</p>}
      <div className="identity__buttons">
        <button
          type="button"
          className="button button--wide"
          aria-disabled={isBusy}
          onClick={() => void leave()}
        >
          {isBusy ? 'Signing out…' : 'Sign out'}
        </button>
        <a className="button button--quiet button--wide" href="/">
          Stay signed in
        </a>
      </div>
    </IdentityCard>
  );
}

function endHere(): void {
  clearLogin();
  forgetTyped();
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
