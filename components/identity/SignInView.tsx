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
import { AREAS } from './flow/areas';
import { clearFlow } from './flow/flowActions';
import { endedText, flowStore, useFlow } from './flow/flowStore';
import { OtherBrowser } from './OtherBrowser';
import { SignInForm } from './SignInForm';
import { useReturnTo } from './useReturnTo';

/** The whole of /login, /adminlogin and /organization-login. */
export function SignInView({ area }: { area: Area }) {
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
    <IdentityCard
      title={title}
      text={intro}
      below={
        register && (
          <p>
            {'New here? '}
            <a href={loginAddress(returnTo, register)}>Create an account</a>
          </p>
        )
      }
    >
      <FlowNotice text={ended ? endedText(ended) : ''} />
      <FormError text={key === null ? '' : callbackErrorText(key)} />
      <SignInForm area={area} returnTo={returnTo} />
    </IdentityCard>
  );
}

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
