import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import texts from '../../host/identity/texts.json';
import { useAuth } from '../api/auth';
import type { Area } from '../api/identity';
import { loginAddress } from '../api/returnTo';
import { otpHint } from '../browser/identityCookies';
import { FormProblem } from '../ui/FormProblem';
import { AREAS } from './areas';
import { FlowNotice } from './FlowNotice';
import { forget } from './flowActions';
import { endedText, flowStore, useFlow } from './flowStore';
import { IdentityCard } from './IdentityCard';
import { OtherClient } from './OtherClient';
import { useReturnTo } from './RegisterView';
import { SignInForm } from './SignInForm';

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
      if (flowStore.get().ended) forget();
    },
    [],
  );

  if (key === 'otherClient') return <OtherClient code={code} />;
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
      <FormProblem text={key === null ? '' : callbackText(key)} />
      <SignInForm area={area} returnTo={returnTo} />
    </IdentityCard>
  );
}

/** What the callback found, in the one text that both languages share. */
export function callbackText(key: string): string {
  const known: Record<string, string> = texts;
  return (Object.hasOwn(known, key) ? known[key] : undefined) ?? texts.loginFailed;
}

export function AlreadySignedIn({ email, returnTo }: { email: string; returnTo: string }) {
  return (
    <IdentityCard title="You are signed in">
      <p className="identity__who">{email}</p>
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
