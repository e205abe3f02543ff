import { useState } from 'react';
import type { Area, FlowName } from '../api/identity';
import { lastName } from '../browser/storage/identityCookies';
import { FormError } from '../forms/FormError';
import { TextField } from '../forms/TextField';
import { errorsOf, textOf, useCallForm } from '../forms/useCallForm';
import { loginAddress } from '../model/returnTo';
import { FlowNotice } from './card/FlowNotice';
import { IdentityCard } from './card/IdentityCard';
import { FlowView } from './FlowView';
import { AREAS } from './flow/areas';
import { begin } from './flow/flowActions';
import { endedText, endedTitle, useFlow } from './flow/flowStore';
import { useReturnTo } from './useReturnTo';

const TEXTS: Record<Area, { title: string; text: string }> = {
  learner: {
    title: 'Forgot your password?',
    text: 'Tell us who you are, and we help you back in.',
  },
  organisation: {
    title: 'Back into your organisation',
    text: 'The people and seats you manage stay as they are. Tell us who you are, and we help you back in.',
  },
  admin: { title: 'Forgot your password?', text: 'Tell us who you are, and we help you back in.' },
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

/** Takes the user name only; whether it exists is never shown. */
export function ForgotForm({ area }: { area: Area }) {
  const returnTo = useReturnTo();
  const { isBusy, failure, ended } = useFlow();
  const [prefilled] = useState(lastName);
  const { errors, formProps } = useCallForm({
    call: { isBusy, errors: failure?.errors ?? {} },
    read: (data) => ({
      username: textOf(data, 'username'),
      flow: (data.get('flow') ?? 'recoverPassword') as FlowName,
    }),
    check: ({ username }) => errorsOf({ username: !username && `${AREAS[area].nameLabel} is required.` }),
    send: (values) => begin({ ...values, area, returnTo }),
  });

  return (
    <IdentityCard {...TEXTS[area]}>
      <FlowNotice text={ended ? endedText(ended) : ''} title={ended ? endedTitle(ended) : undefined} />
      <form className="identity__form stack" {...formProps}>
        <FormError text={failure?.text ?? ''} />
        <TextField
          id="forgot-name"
          name="username"
          label={AREAS[area].nameLabel}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={prefilled}
          error={errors.username}
        />
        <button
          type="submit"
          className="button button--wide"
          name="flow"
          value="recoverPassword"
          aria-disabled={isBusy}
        >
          {isBusy ? 'Please wait…' : 'Choose a new password'}
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
