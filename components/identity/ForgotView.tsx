import { useState } from 'react';
import type { Area, FlowName, FlowStart } from '../api/identity';
import { lastName } from '../browser/storage/identityCookies';
import { FormError } from '../forms/call/FormError';
import { errorsOf, textOf } from '../forms/call/formValues';
import { useCallForm } from '../forms/call/useCallForm';
import { TextField } from '../forms/TextField';
import { loginAddress } from '../model/returnTo';
import { Button } from '../ui/controls/Button';
import { FlowNotice } from './card/FlowNotice';
import { IdentityCard } from './card/IdentityCard';
import { FlowView } from './FlowView';
import { AREAS } from './flow/areas';
import { begin } from './flow/flowActions';
import { endedText, endedTitle, flowCall, useFlow } from './flow/flowStore';
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
  const form = useCallForm(
    (values: Pick<FlowStart, 'username' | 'flow'>) => begin({ ...values, area, returnTo }),
    {
      call: flowCall(isBusy, failure),
      read: (data) => ({
        username: textOf(data, 'username'),
        flow: (data.get('flow') ?? 'recoverPassword') as FlowName,
      }),
      check: ({ username }) => errorsOf({ username: !username && `${AREAS[area].nameLabel} is required.` }),
    },
  );

  return (
    <IdentityCard {...TEXTS[area]}>
      <FlowNotice text={ended ? endedText(ended) : ''} title={ended ? endedTitle(ended) : undefined} />
      <form className="identity__form stack" {...form.formProps}>
        <FormError text={form.text} />
        <TextField
          id="forgot-name"
          name="username"
          label={AREAS[area].nameLabel}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={prefilled}
          error={form.errors.username}
        />
        <Button isWide name="flow" value="recoverPassword" isBusy={isBusy} busyText="Please wait…">
          Choose a new password
        </Button>
        <Button isWide variant="quiet" name="flow" value="unlockAccount" isDisabled={isBusy}>
          Unlock my account
        </Button>
      </form>
    </IdentityCard>
  );
}
