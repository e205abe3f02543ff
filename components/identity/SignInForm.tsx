import { useState } from 'react';
import { ApiProblem } from '../api/client';
import { type Area, type FlowName, providerPage, signIn } from '../api/identity';
import { leaveFor } from '../browser/navigation';
import { lastName, saveName } from '../browser/storage/identityCookies';
import { apiErrorText } from '../forms/call/apiErrorText';
import { FormError } from '../forms/call/FormError';
import { errorsOf, textOf } from '../forms/call/formValues';
import { useCall } from '../forms/call/useCall';
import { useCallForm } from '../forms/call/useCallForm';
import { PasswordField } from '../forms/PasswordField';
import { TextField } from '../forms/TextField';
import { Button } from '../ui/controls/Button';
import { Notice } from '../ui/Notice';
import { FingerprintFrame } from './FingerprintFrame';
import { AREAS } from './flow/areas';
import { PasswordExpires } from './PasswordExpires';
import { type Unhandled, UnhandledStatus } from './UnhandledStatus';
import { useProvider } from './useProvider';

type SignInFormProps = { area: Area; returnTo: string };
type Credentials = { username: string; password: string };

/** Name and password. On success the browser goes to the provider and comes back signed in. */
export function SignInForm({ area, returnTo }: SignInFormProps) {
  const { provider, fingerprint, setFingerprint: takeFingerprint } = useProvider();
  const [unhandled, setUnhandled] = useState<Unhandled | null>(null);
  const [expiring, setExpiring] = useState<{ redirect: string; credentials: Credentials } | null>(null);
  const [prefilled, setPrefilled] = useState(lastName);
  const call = useCall({ isSignIn: true });
  const form = useCallForm(send, {
    call,
    read: (data) => ({ username: textOf(data, 'username'), password: String(data.get('password') ?? '') }),
    check: ({ username, password }) =>
      errorsOf({
        username: !username && `${AREAS[area].nameLabel} is required.`,
        password: !password && 'Enter your password.',
      }),
  });

  async function signInFor(credentials: Credentials, target: string) {
    const device = await fingerprint();
    const extra = device ? { fingerprint: device } : {};
    return signIn({ ...credentials, returnTo: target, area, ...extra });
  }

  async function send(credentials: Credentials) {
    saveName(credentials.username);
    setPrefilled(credentials.username);
    try {
      const { redirect, passwordExpiresSoon } = await signInFor(credentials, returnTo);
      if (passwordExpiresSoon) setExpiring({ redirect, credentials });
      else await leaveFor(redirect);
    } catch (problem) {
      const next = unhandledOf(problem, credentials.username);
      if (!next) throw problem;
      setUnhandled(next);
    }
  }

  if (provider && !provider.hasAuthn) return <ProviderSignIn area={area} returnTo={returnTo} />;
  if (expiring)
    return (
      <PasswordExpires
        call={call}
        onContinue={() => leaveFor(expiring.redirect)}
        onChange={async () => leaveFor((await signInFor(expiring.credentials, '/profile')).redirect)}
      />
    );
  if (unhandled)
    return (
      <UnhandledStatus {...unhandled} area={area} returnTo={returnTo} onBack={() => setUnhandled(null)} />
    );
  return (
    <form className="identity__form stack" {...form.formProps}>
      {provider?.isReachable === false && <Unreachable />}
      <FormError text={form.text} help={call.problem?.status === 401 && <WrongPassword area={area} />} />
      <TextField
        id="sign-in-name"
        name="username"
        label={AREAS[area].nameLabel}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        defaultValue={prefilled}
        error={form.errors.username}
      />
      <PasswordField
        id="sign-in-password"
        name="password"
        label="Password"
        autoComplete="current-password"
        required
        error={form.errors.password}
      />
      <p className="identity__aside">
        <a href={AREAS[area].forgot}>Forgot your password?</a>
      </p>
      <Button isWide isBusy={form.isBusy} busyText="Signing in…">
        Sign in
      </Button>
      {provider?.frame && (
        <FingerprintFrame src={provider.frame} origin={provider.origin} onRequest={takeFingerprint} />
      )}
    </form>
  );
}

function WrongPassword({ area }: { area: Area }) {
  return (
    <>
      That name and password do not match. Check both, or{' '}
      <a href={AREAS[area].forgot}>choose a new password</a>.
    </>
  );
}

/** The provider wants more than the password. */
function unhandledOf(problem: unknown, username: string): Unhandled | null {
  if (!(problem instanceof ApiProblem) || problem.status !== 409) return null;
  const flow: FlowName = problem.members.flow === 'unlockAccount' ? 'unlockAccount' : 'authenticate';
  return { text: apiErrorText(problem), flow, username };
}

/** For providers without the authn API. */
export function ProviderSignIn({ area, returnTo }: SignInFormProps) {
  return (
    <div className="identity__form stack">
      <p>You sign in on the page of our sign-in provider and come straight back.</p>
      <a className="button button--wide" href={providerPage({ returnTo, area })}>
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
