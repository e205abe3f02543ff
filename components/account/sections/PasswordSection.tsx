import { type FormEvent, useRef, useState } from 'react';
import { changePassword, getPassword, type PasswordState, removePassword } from '../api/account';
import { useSite } from '../api/site';
import { useFirstError } from '../ui/FormProblem';
import { formatOf } from '../ui/format';
import { PasswordField } from '../ui/PasswordField';
import { PasswordOwner } from '../ui/PasswordOwner';
import { Question } from '../ui/Question';
import { notify } from '../ui/toasts';
import { LoadedPart, Section } from './Section';
import { TaskProblem } from './SignInAgain';
import { type Loaded, useLoaded } from './useLoaded';
import { useTask } from './useTask';

export function PasswordSection({ email }: { email: string }) {
  const loaded = useLoaded(getPassword);
  return (
    <Section id="password" title="Password">
      <LoadedPart loaded={loaded} what="password's state">
        {(state) =>
          state.status === 'ACTIVE' ? <Active state={state} loaded={loaded} email={email} /> : <NotEnrolled />
        }
      </LoadedPart>
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

type ActiveProps = { state: PasswordState; loaded: Loaded<PasswordState>; email: string };

function Active({ state, loaded, email }: ActiveProps) {
  const format = formatOf(useSite());
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const task = useTask();
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
          <TaskProblem task={task} />
          <div className="account-actions">
            <button type="button" className="button button--quiet" onClick={() => setIsOpen(true)}>
              Change password
            </button>
            <button
              type="button"
              className="text-button text-button--quiet"
              onClick={() => setIsAsking(true)}
            >
              Remove password
            </button>
          </div>
        </>
      )}
      {isAsking && (
        <Question
          question="Remove your password?"
          text="From then on you sign in by other means only, such as a code by e-mail."
          yes="Remove password"
          no="Keep it"
          onYes={() => void task.run(async () => loaded.set(await removePassword()))}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

type ChangeFormProps = { email: string; loaded: Loaded<PasswordState>; onClose: () => void };

function ChangeForm({ email, loaded, onClose }: ChangeFormProps) {
  const task = useTask();
  const [missing, setMissing] = useState<Record<string, string>>({});
  const misses = useRef(0);
  const form = useFirstError(task.tries + misses.current);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const current = String(data.get('currentPassword') ?? '');
    const next = String(data.get('password') ?? '');
    const found = {
      ...(current ? {} : { currentPassword: 'Enter the password you have now.' }),
      ...(next ? {} : { password: 'Enter a new password.' }),
    };
    setMissing(found);
    if (!current || !next) {
      misses.current += 1;
      return;
    }
    const isDone = await task.run(async () => loaded.set(await changePassword(next, current)));
    if (!isDone) return;
    onClose();
    void notify('success', 'Your password was changed.');
  }

  const errors = { ...task.errors, ...missing };
  return (
    <form
      ref={form}
      className="account-form account-form--inset"
      noValidate
      onSubmit={(event) => void save(event)}
      aria-busy={task.isBusy}
    >
      <TaskProblem task={task} />
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
      <div className="account-actions">
        <button type="submit" className="button" aria-disabled={task.isBusy}>
          {task.isBusy ? 'Saving…' : 'Change password'}
        </button>
        <button type="button" className="text-button text-button--quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
