import { useState } from 'react';
import { changePassword, getPassword, type PasswordState, removePassword } from '../../api/account/account';
import { useSite } from '../../api/site';
import { formatOf } from '../../format/format';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf } from '../../forms/call/formValues';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { useCallForm } from '../../forms/call/useCallForm';
import { PasswordField } from '../../forms/PasswordField';
import { PasswordOwner } from '../../forms/PasswordOwner';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { Fetched, Section } from '../parts/Section';
import { type FetchState, useFetched } from '../parts/useFetched';

export function PasswordSection({ email }: { email: string }) {
  const loaded = useFetched(getPassword);
  return (
    <Section id="password" title="Password">
      <Fetched loaded={loaded} label="password's state">
        {(state) =>
          state.status === 'ACTIVE' ? <Active state={state} loaded={loaded} email={email} /> : <NotEnrolled />
        }
      </Fetched>
    </Section>
  );
}

function NotEnrolled() {
  return (
    <>
      <p className="account-empty">This account has no password: you sign in by other means.</p>
      <a className="button button--quiet" href="/create-password">
        Choose a password
      </a>
    </>
  );
}

type ActiveProps = { state: PasswordState; loaded: FetchState<PasswordState>; email: string };

function Active({ state, loaded, email }: ActiveProps) {
  const format = formatOf(useSite());
  const [isOpen, setIsOpen] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const task = useCall();
  return (
    <>
      <p className="account-empty">
        {state.lastUpdated
          ? `Last changed on ${format.date(state.lastUpdated)}.`
          : 'You sign in with a password.'}
      </p>
      {isOpen ? (
        <ChangeForm email={email} loaded={loaded} onClose={() => setIsOpen(false)} />
      ) : (
        <>
          <CallError call={task} />
          <div className="account-actions row">
            <Button variant="quiet" onClick={() => setIsOpen(true)}>
              Change password
            </Button>
            <Button variant="text-quiet" onClick={() => setIsConfirming(true)}>
              Remove password
            </Button>
          </div>
        </>
      )}
      {isConfirming && (
        <ConfirmDialog
          question="Remove your password?"
          text="From then on you sign in by other means only, such as a code by email."
          yes="Remove password"
          no="Keep it"
          onYes={() => void task.run(async () => loaded.set(await removePassword()))}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}

type Passwords = { current: string; next: string };
type ChangeFormProps = { email: string; loaded: FetchState<PasswordState>; onClose: () => void };

function ChangeForm({ email, loaded, onClose }: ChangeFormProps) {
  const form = useCallForm(({ current, next }: Passwords) => changePassword(next, current), {
    read: (data) => ({
      current: String(data.get('currentPassword') ?? ''),
      next: String(data.get('password') ?? ''),
    }),
    check: ({ current, next }) =>
      errorsOf({
        currentPassword: !current && 'Enter the password you have now.',
        password: !next && 'Enter a new password.',
      }),
    onSuccess: (state) => {
      loaded.set(state);
      onClose();
      void notify('success', 'Your password was changed.');
    },
  });

  return (
    <form className="account-form stack account-form--inset" {...form.formProps}>
      <FormStatus form={form} />
      <PasswordOwner name={email} />
      <PasswordField
        id="current-password"
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
        required
        error={form.errors.currentPassword}
      />
      <PasswordField
        id="new-password"
        name="password"
        label="New password"
        autoComplete="new-password"
        required
        error={form.errors.password}
      />
      <div className="account-actions row">
        <Button isBusy={form.isBusy} busyText="Saving…">
          Change password
        </Button>
        <Button variant="text-quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
