import { type ComponentType, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/client';
import { type Area, type FlowName, getProvider, type Provider, providerPage, signIn } from '../api/identity';
import { requestFingerprint } from '../browser/fingerprint';
import { leaveFor } from '../browser/navigation';
import { lastName, saveName } from '../browser/storage/identityCookies';
import { apiErrorText } from '../forms/call/apiErrorText';
import { FormError } from '../forms/call/FormError';
import { errorsOf, textOf } from '../forms/call/formValues';
import { type Call, useCall } from '../forms/call/useCall';
import { useCallForm } from '../forms/call/useCallForm';
import { PasswordField } from '../forms/PasswordField';
import { TextField } from '../forms/TextField';
import { Button } from '../ui/controls/Button';
import { loadOrReload } from '../ui/loading/lazyModule';
import { Notice } from '../ui/Notice';
import { AREAS } from './flow/areas';
import type { Unhandled, UnhandledStatusProps } from './UnhandledStatus';

type SignInFormProps = { area: Area; returnTo: string };
type Credentials = { username: string; password: string };

/** Name and password. On success the browser goes to the provider and comes back signed in. */
export function SignInForm({ area, returnTo }: SignInFormProps) {
  const { provider, fingerprint, setFingerprint: takeFingerprint } = useProvider();
  const [unhandled, setUnhandled] = useState<NextStep | null>(null);
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
      setUnhandled({ ...next, View: await loadNextStep(problem) });
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
  if (unhandled) {
    const { View, ...status } = unhandled;
    return <View {...status} area={area} returnTo={returnTo} onBack={() => setUnhandled(null)} />;
  }
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

type NextStep = Unhandled & { View: ComponentType<UnhandledStatusProps> };

/** The screen of a sign-in that goes on as a flow. Where its code cannot be loaded, the form shows `problem`. */
async function loadNextStep(problem: unknown): Promise<NextStep['View']> {
  const code = await loadOrReload(import('./UnhandledStatus')).catch(() => null);
  if (!code) throw problem;
  return code.UnhandledStatus;
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

type ProviderState = {
  /** Null until it is loaded, and when it cannot be loaded. */
  provider: Provider | null;
  /** The device's fingerprint from the hidden frame; "" without one. Resolves within the frame's time limit. */
  fingerprint: () => Promise<string>;
  setFingerprint: (fingerprintPromise: Promise<string>) => void;
};

/** The features of the sign-in provider. The form is shown before they are loaded: they rarely change it. */
function useProvider(): ProviderState {
  const [provider, setProvider] = useState<Provider | null>(null);
  const fingerprintPromise = useRef(Promise.resolve(''));
  useEffect(() => {
    getProvider().then(setProvider, (problem: unknown) => {
      if (!(problem instanceof ApiProblem)) throw problem;
    });
  }, []);
  return {
    provider,
    fingerprint: () => fingerprintPromise.current,
    setFingerprint: (promise) => {
      fingerprintPromise.current = promise;
    },
  };
}

type PasswordExpiresProps = {
  call: Call;
  onContinue: () => Promise<void>;
  onChange: () => Promise<void>;
};

/** The password was right and will expire soon: the sign-in goes on now, to the page asked for or to the profile. */
function PasswordExpires({ call, onContinue, onChange }: PasswordExpiresProps) {
  return (
    <div className="identity__form stack" aria-busy={call.isBusy}>
      <FormError text={call.text} />
      <Notice kind="warning" title="Your password expires soon">
        <p>You can go on now. Change it in your profile before it ends, then nothing stops you next time.</p>
      </Notice>
      <div className="identity__buttons">
        <Button isWide isBusy={call.isBusy} busyText="Signing in…" onClick={() => void call.run(onContinue)}>
          Continue
        </Button>
        <Button isWide variant="quiet" isDisabled={call.isBusy} onClick={() => void call.run(onChange)}>
          Change the password
        </Button>
      </div>
    </div>
  );
}

type FingerprintFrameProps = {
  src: string;
  origin: string;
  onRequest: (fingerprint: Promise<string>) => void;
};

/** The provider's hidden frame that identifies the device; sign-in waits for it for a limited time. */
function FingerprintFrame({ src, origin, onRequest: onAsked }: FingerprintFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const request = useRef(onAsked);
  useEffect(() => {
    if (frame.current) request.current(fingerprint(frame.current, origin));
  }, [origin]);
  return (
    <iframe
      ref={frame}
      src={src}
      title="Device check"
      className="identity__frame"
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}

/** Failures are only logged; sign-in continues without a fingerprint (specification §8). */
async function fingerprint(frame: HTMLIFrameElement, origin: string): Promise<string> {
  try {
    return await requestFingerprint(frame, origin);
  } catch (failure) {
    // biome-ignore lint/suspicious/noConsole: it is only logged
    console.info(failure instanceof Error ? failure.message : String(failure));
    return '';
  }
}
