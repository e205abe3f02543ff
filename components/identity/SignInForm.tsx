import { useEffect, useState } from 'react';
import { ApiProblem } from '../api/client';
import { type Area, type FlowName, providerPage, signIn } from '../api/identity';
import { navigateTo, onPageRestored } from '../browser/navigation';
import { lastName, saveName } from '../browser/storage/identityCookies';
import { apiErrorText } from '../forms/apiErrorText';
import { BusyButton } from '../forms/BusyButton';
import { FormError } from '../forms/FormError';
import { PasswordField } from '../forms/PasswordField';
import { TextField } from '../forms/TextField';
import { errorsOf, type FieldErrors, textOf, useCallForm } from '../forms/useCallForm';
import { Notice } from '../ui/Notice';
import { FingerprintFrame } from './FingerprintFrame';
import { AREAS } from './flow/areas';
import { type Unhandled, UnhandledStatus } from './UnhandledStatus';
import { useProvider } from './useProvider';

type SignInFormProps = { area: Area; returnTo: string };
type SignInResult = { text: string; errors: FieldErrors; unhandled: Unhandled | null };

const NO_ERRORS: SignInResult = { text: '', errors: {}, unhandled: null };

/** Name and password. On success the browser goes to the provider and comes back signed in. */
export function SignInForm({ area, returnTo }: SignInFormProps) {
  const { provider, fingerprint, setFingerprint: takeFingerprint } = useProvider();
  const [result, setResult] = useState(NO_ERRORS);
  const [isBusy, setIsBusy] = useState(false);
  const [prefilled, setPrefilled] = useState(lastName);
  // Going back from the provider may restore this page in its waiting state.
  useEffect(() => onPageRestored(() => setIsBusy(false)), []);

  const { errors, formProps } = useCallForm({
    call: { isBusy, errors: result.errors },
    read: (data) => ({ username: textOf(data, 'username'), password: String(data.get('password') ?? '') }),
    check: ({ username, password }) => {
      setResult(NO_ERRORS);
      return errorsOf({
        username: !username && `${AREAS[area].nameLabel} is required.`,
        password: !password && 'Enter your password.',
      });
    },
    send,
  });

  async function send({ username, password }: { username: string; password: string }) {
    saveName(username);
    setPrefilled(username);
    setIsBusy(true);
    try {
      const device = await fingerprint();
      const extra = device ? { fingerprint: device } : {};
      navigateTo((await signIn({ username, password, returnTo, area, ...extra })).redirect);
    } catch (problem) {
      setIsBusy(false);
      setResult(signInErrors(problem, username));
    }
  }

  if (provider && !provider.hasAuthn) return <ProviderSignIn area={area} returnTo={returnTo} />;
  if (result.unhandled)
    return (
      <UnhandledStatus
        {...result.unhandled}
        area={area}
        returnTo={returnTo}
        onBack={() => setResult(NO_ERRORS)}
      />
    );
  return (
    <form className="identity__form stack" {...formProps}>
      {provider?.isReachable === false && <Unreachable />}
      <FormError text={result.text} />
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
        error={errors.username}
      />
      <PasswordField
        id="sign-in-password"
        name="password"
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <p className="identity__aside">
        <a href={AREAS[area].forgot}>Forgot your password?</a>
      </p>
      <BusyButton className="button button--wide" isBusy={isBusy} busy="Signing in…">
        Sign in
      </BusyButton>
      {provider?.frame && (
        <FingerprintFrame src={provider.frame} origin={provider.origin} onRequest={takeFingerprint} />
      )}
    </form>
  );
}

function signInErrors(problem: unknown, username: string): SignInResult {
  const text = apiErrorText(problem);
  if (!(problem instanceof ApiProblem)) return { ...NO_ERRORS, text };
  if (problem.status === 409) {
    const flow: FlowName = problem.members.flow === 'unlockAccount' ? 'unlockAccount' : 'authenticate';
    return { ...NO_ERRORS, unhandled: { text, flow, username } };
  }
  const hasFields = Object.keys(problem.errors).length > 0;
  return { ...NO_ERRORS, text: hasFields ? '' : text, errors: problem.errors };
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
