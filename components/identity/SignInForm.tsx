import { type FormEvent, useEffect, useState } from 'react';
import { ApiProblem } from '../api/client';
import { type Area, type FlowName, providersPage, signIn } from '../api/identity';
import { keepName, lastName } from '../browser/identityCookies';
import { leaveTo, onComeback } from '../browser/leaving';
import { Field } from '../ui/Field';
import { FormProblem, useFirstError } from '../ui/FormProblem';
import { Notice } from '../ui/Notice';
import { PasswordField } from '../ui/PasswordField';
import { problemText } from '../ui/problemText';
import { AREAS } from './areas';
import { FingerprintFrame } from './FingerprintFrame';
import type { FieldErrors } from './inputs';
import { type Unhandled, UnhandledStatus } from './UnhandledStatus';
import { useProvider } from './useProvider';

type SignInFormProps = { area: Area; returnTo: string };
type Found = { text: string; errors: FieldErrors; unhandled: Unhandled | null };

const NOTHING: Found = { text: '', errors: {}, unhandled: null };

/** Name and password. The provider has the last word; the browser then goes there and comes back signed in. */
export function SignInForm({ area, returnTo }: SignInFormProps) {
  const { provider, fingerprint, takeFingerprint } = useProvider();
  const [found, setFound] = useState(NOTHING);
  const [isBusy, setIsBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const [prefilled, setPrefilled] = useState(lastName);
  const form = useFirstError(tries);
  // From the provider one may come back to this page as it was left: waiting.
  useEffect(() => onComeback(() => setIsBusy(false)), []);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    const username = String(data.get('username') ?? '').trim();
    const password = String(data.get('password') ?? '');
    const errors = emptyOnes(username, password, AREAS[area].nameLabel);
    if (Object.keys(errors).length > 0) return show({ ...NOTHING, errors });
    keepName(username);
    setPrefilled(username);
    setIsBusy(true);
    setFound(NOTHING);
    try {
      const device = await fingerprint();
      const extra = device ? { fingerprint: device } : {};
      leaveTo((await signIn({ username, password, returnTo, area, ...extra })).redirect);
    } catch (problem) {
      setIsBusy(false);
      show(foundIn(problem, username));
    }
  }

  function show(what: Found) {
    setFound(what);
    setTries((count) => count + 1);
  }

  if (provider && !provider.hasAuthn) return <ProvidersOwn area={area} returnTo={returnTo} />;
  if (found.unhandled)
    return (
      <UnhandledStatus
        {...found.unhandled}
        area={area}
        returnTo={returnTo}
        onBack={() => setFound(NOTHING)}
      />
    );
  return (
    <form
      ref={form}
      className="identity__form"
      noValidate
      onSubmit={(event) => void send(event)}
      aria-busy={isBusy}
    >
      {provider?.isReachable === false && <Unreachable />}
      <FormProblem text={found.text} />
      <Field
        id="sign-in-name"
        name="username"
        label={AREAS[area].nameLabel}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        defaultValue={prefilled}
        error={found.errors.username}
      />
      <PasswordField
        id="sign-in-password"
        name="password"
        label="Password"
        autoComplete="current-password"
        required
        error={found.errors.password}
      />
      <p className="identity__aside">
        <a href={AREAS[area].forgot}>Forgotten your password?</a>
      </p>
      <button type="submit" className="button button--wide" aria-disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
      {provider?.frame && (
        <FingerprintFrame src={provider.frame} origin={provider.origin} onAsked={takeFingerprint} />
      )}
    </form>
  );
}

function emptyOnes(username: string, password: string, label: string): FieldErrors {
  return {
    ...(username ? {} : { username: `${label} is needed.` }),
    ...(password ? {} : { password: 'Enter your password.' }),
  };
}

function foundIn(problem: unknown, username: string): Found {
  const text = problemText(problem);
  if (!(problem instanceof ApiProblem)) return { ...NOTHING, text };
  if (problem.status === 409) {
    const flow: FlowName = problem.members.flow === 'unlockAccount' ? 'unlockAccount' : 'authenticate';
    return { ...NOTHING, unhandled: { text, flow, username } };
  }
  const hasFields = Object.keys(problem.errors).length > 0;
  return { ...NOTHING, text: hasFields ? '' : text, errors: problem.errors };
}

/** For providers that take no passwords from others. */
export function ProvidersOwn({ area, returnTo }: SignInFormProps) {
  return (
    <div className="identity__form">
      <p>You sign in on the page of our sign-in provider and come straight back.</p>
      <a className="button button--wide" href={providersPage({ returnTo, area })}>
        Continue to sign in
      </a>
    </div>
  );
}

export function Unreachable() {
  return (
    <Notice kind="warning" title="Signing in may not work right now">
      <p>The sign-in provider does not answer us. You can try, and everything else of the site works.</p>
    </Notice>
  );
}
