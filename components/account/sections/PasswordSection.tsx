import { useState } from 'react';
import { changePassword, getPassword, type PasswordState, removePassword } from '../../api/account';
import { useSite } from '../../api/site';
import { formatOf } from '../../format/format';
import { BusyButton } from '../../forms/BusyButton';
import { PasswordField } from '../../forms/PasswordField';
import { PasswordOwner } from '../../forms/PasswordOwner';
import { errorsOf, useCallForm } from '../../forms/useCallForm';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { notify } from '../../ui/toasts/toasts';
import { Fetched, Section } from '../parts/Section';
import { SubmitError } from '../parts/SignInAgain';
import { type FetchState, useFetched } from '../parts/useFetched';
import { useSubmit } from '../parts/useSubmit';

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
  const task = useSubmit();
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
          <SubmitError task={task} />
          <div className="account-actions row">
            <button type="button" className="button button--quiet" onClick={() => setIsOpen(true)}>
              Change password
            </button>
            <button
              type="button"
              className="text-button text-button--quiet"
              onClick={() => setIsConfirming(true)}
            >
              Remove password
            </button>
          </div>
        </>
      )}
      {isConfirming && (
        <ConfirmDialog
          question="Remove your password?"
          text="From then on you sign in by other means only, such as a code by e-mail."
          yes="Remove password"
          no="Keep it"
          onYes={() => void task.run(async () => loaded.set(await removePassword()))}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}

type ChangeFormProps = { email: string; loaded: FetchState<PasswordState>; onClose: () => void };

function ChangeForm({ email, loaded, onClose }: ChangeFormProps) {
  const task = useSubmit();
  const { errors, formProps } = useCallForm({
    call: task,
    read: (data) => ({
      current: String(data.get('currentPassword') ?? ''),
      next: String(data.get('password') ?? ''),
    }),
    check: ({ current, next }) =>
      errorsOf({
        currentPassword: !current && 'Enter the password you have now.',
        password: !next && 'Enter a new password.',
      }),
    send: async ({ current, next }) => {
      const isDone = await task.run(async () => loaded.set(await changePassword(next, current)));
      if (!isDone) return;
      onClose();
      void notify('success', 'Your password was changed.');
    },
  });

  return (
    <form className="account-form stack account-form--inset" {...formProps}>
      <SubmitError task={task} />
      <PasswordOwner name={email} />
      <PasswordField
        id="current-password"
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
        required
        error={errors.currentPassword}
      />
      <PasswordField
        id="new-password"
        name="password"
        label="New password"
        autoComplete="new-password"
        required
        error={errors.password}
      />
      <div className="account-actions row">
        <BusyButton isBusy={task.isBusy} busy="Saving…">
          Change password
        </BusyButton>
        <button type="button" className="text-button text-button--quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
