import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import texts from '../../contracts/sign_in_errors.json';
import { useAuth } from '../api/auth';
import type { Area } from '../api/identity';
import { otpHint } from '../browser/storage/identityCookies';
import { FormError } from '../forms/call/FormError';
import { loginAddress } from '../model/returnTo';
import { FlowNotice } from './card/FlowNotice';
import { IdentityCard } from './card/IdentityCard';
import { WaitingNote } from './card/WaitingNote';
import { AREAS } from './flow/areas';
import { clearFlow, endedText, flowStore, useFlow } from './flow/flowStore';
import { SignInForm } from './SignInForm';
import { useReturnTo } from './useReturnTo';

type SignInViewProps = {
  area: Area;
  /** What waits at the address to go back to. */
  waiting?: string;
};

/** The whole of /login, /adminlogin and /organization-login. */
export function SignInView({ area, waiting = '' }: SignInViewProps) {
  const { title, intro, register } = AREAS[area];
  const { learner } = useAuth();
  const { ended } = useFlow();
  const returnTo = useReturnTo();
  const key = new URLSearchParams(useLocation().search).get('error');
  const [code] = useState(otpHint);
  useEffect(
    () => () => {
      if (flowStore.get().ended) clearFlow();
    },
    [],
  );

  if (key === 'otherClient') return <OtherBrowser code={code} />;
  if (learner && area === 'learner' && key === null)
    return <AlreadySignedIn email={learner.email} returnTo={returnTo} />;
  return (
    <IdentityCard title={title} text={waiting ? '' : intro}>
      <WaitingNote text={waiting} />
      <FlowNotice text={ended ? endedText(ended) : ''} />
      <FormError text={key === null ? '' : callbackErrorText(key)} help={CALLBACK_HELP.get(key ?? '')} />
      <SignInForm area={area} returnTo={returnTo} />
      {register && (
        <div className="identity__other">
          <p className="identity__or">New here?</p>
          <a className="button button--quiet button--wide" href={loginAddress(returnTo, register)}>
            Create an account
          </a>
        </div>
      )}
    </IdentityCard>
  );
}

const BEGIN_AGAIN =
  'This sign-in was begun in another tab, or too long ago. Nothing is wrong with your account: sign in here again.';
/** What to do, beside texts of the table that say only what happened. */
const CALLBACK_HELP = new Map([
  ['state', BEGIN_AGAIN],
  ['noTransaction', BEGIN_AGAIN],
  ['interactionState', BEGIN_AGAIN],
  ['noInteractionCode', BEGIN_AGAIN],
  ['unknown', 'Our sign-in provider did not answer as expected. Please sign in again in a minute.'],
  ['loginFailed', 'Please sign in again.'],
]);

/** The callback's error, from the table that both languages share. */
export function callbackErrorText(key: string): string {
  const known: Record<string, string> = texts;
  return (Object.hasOwn(known, key) ? known[key] : undefined) ?? texts.loginFailed;
}

export function AlreadySignedIn({ email, returnTo }: { email: string; returnTo: string }) {
  return (
    <IdentityCard title="You are signed in">
      <p className="identity__learner">{email}</p>
      <div className="identity__buttons">
        <a className="button button--wide" href={returnTo}>
          Continue
        </a>
        <a className="button button--quiet button--wide" href="/logout">
          Sign out
        </a>
      </div>
    </IdentityCard>
  );
}

/** A mail's link that was opened in another browser than the one that waits for it. */
function OtherBrowser({ code }: { code: string }) {
  const known: Record<string, string> = texts;
  const text = known.otherClient ?? 'Enter the OTP code in the originating client: {otp}';
  return (
    <IdentityCard title="Enter this code where you began" step={code}>
      {code ? (
        <>
          <p>{text.replace('{otp}', code)}</p>
          <p className="identity__code">{code}</p>
          <p className="hint">It expires in five minutes. Then you can close this page.</p>
        </>
      ) : (
        <p>The code of this link has expired. Ask for a new one where you began.</p>
      )}
    </IdentityCard>
  );
}
