import { type FormEvent, useState } from 'react';
import type { Area, FlowName } from '../api/identity';
import { loginAddress } from '../api/returnTo';
import { lastName } from '../browser/identityCookies';
import { Field } from '../ui/Field';
import { FormProblem, useFirstError } from '../ui/FormProblem';
import { AREAS } from './areas';
import { FlowNotice } from './FlowNotice';
import { FlowView } from './FlowView';
import { begin } from './flowActions';
import { endedText, endedTitle, useFlow } from './flowStore';
import { IdentityCard } from './IdentityCard';
import { useReturnTo } from './RegisterView';

const TEXTS: Record<Area, { title: string; text: string }> = {
  learner: {
    title: 'Forgotten your password?',
    text: 'Tell us who you are, and we help you back in.',
  },
  organisation: {
    title: 'Back into your organisation',
    text: 'The people and seats you manage stay as they are. Tell us who you are, and we help you back in.',
  },
  admin: { title: 'Forgotten your password?', text: 'Tell us who you are, and we help you back in.' },
};

/** The whole of /forgot and /organization-forgot: a new password, or a locked account opened. */
export function ForgotView({ area }: { area: Area }) {
  return (
    <>
      <FlowView flows={['recoverPassword', 'unlockAccount']}>
        <ForgotForm area={area} />
      </FlowView>
      <p className="identity-foot">
        {'It came back to you? '}
        <a href={loginAddress(useReturnTo(), AREAS[area].signIn)}>Sign in</a>
      </p>
    </>
  );
}

/** Asks for the name alone; whether it is known is never told. */
export function ForgotForm({ area }: { area: Area }) {
  const returnTo = useReturnTo();
  const { isBusy, failure, ended } = useFlow();
  const [missing, setMissing] = useState('');
  const [tries, setTries] = useState(0);
  const [prefilled] = useState(lastName);
  const form = useFirstError(tries);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    const username = String(data.get('username') ?? '').trim();
    const flow = (data.get('flow') ?? 'recoverPassword') as FlowName;
    setMissing(username ? '' : `${AREAS[area].nameLabel} is needed.`);
    if (username) await begin({ flow, area, returnTo, username });
    setTries((count) => count + 1);
  }

  return (
    <IdentityCard {...TEXTS[area]}>
      <FlowNotice text={ended ? endedText(ended) : ''} title={ended ? endedTitle(ended) : undefined} />
      <form
        ref={form}
        className="identity__form"
        noValidate
        onSubmit={(event) => void send(event)}
        aria-busy={isBusy}
      >
        <FormProblem text={failure?.text ?? ''} />
        <Field
          id="forgot-name"
          name="username"
          label={AREAS[area].nameLabel}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={prefilled}
          error={missing || failure?.errors.username}
        />
        <button
          type="submit"
          className="button button--wide"
          name="flow"
          value="recoverPassword"
          aria-disabled={isBusy}
        >
          {isBusy ? 'One moment…' : 'Choose a new password'}
        </button>
        <button
          type="submit"
          className="button button--quiet button--wide"
          name="flow"
          value="unlockAccount"
          aria-disabled={isBusy}
        >
          Unlock my account
        </button>
      </form>
    </IdentityCard>
  );
}
