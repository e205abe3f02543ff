import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import accountStyles from '../../static/css/account.css?text';
import { enrollPassword, getPassword } from '../api/account';
import { useAuth } from '../api/auth';
import { useFirstError } from '../ui/FormProblem';
import { PasswordField } from '../ui/PasswordField';
import { PasswordOwner } from '../ui/PasswordOwner';
import { notify } from '../ui/toasts';
import { useStyles } from '../ui/useStyles';
import { LoadedPart } from './Section';
import { TaskProblem } from './SignInAgain';
import { useLoaded } from './useLoaded';
import { useTask } from './useTask';

/** The first password of an account that has none; one that has gets the way to change it. */
export function FirstPassword() {
  useStyles(accountStyles);
  const loaded = useLoaded(getPassword);
  return (
    <div className="account-page account-page--narrow">
      <h1 className="account-page__title">Choose a password</h1>
      <LoadedPart loaded={loaded} what="password's state">
        {({ status }) => (status === 'ACTIVE' ? <HasOne /> : <FirstPasswordForm />)}
      </LoadedPart>
    </div>
  );
}

function HasOne() {
  return (
    <>
      <p className="account-empty">Your account has a password already. You change it in your profile.</p>
      <a className="button" href="/profile#password">
        Go to your profile
      </a>
    </>
  );
}

export function FirstPasswordForm() {
  const task = useTask();
  const navigate = useNavigate();
  const { learner } = useAuth();
  const [isMissing, setIsMissing] = useState(false);
  const form = useFirstError(task.tries + Number(isMissing));

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    setIsMissing(!password);
    if (!password || !(await task.run(() => enrollPassword(password)))) return;
    void notify('success', 'Your password is set.');
    navigate('/profile');
  }

  return (
    <form
      ref={form}
      className="account-form"
      noValidate
      onSubmit={(event) => void save(event)}
      aria-busy={task.isBusy}
    >
      <TaskProblem task={task} />
      <PasswordOwner name={learner?.email ?? ''} />
      <PasswordField
        id="first-password"
        name="password"
        label="Password"
        autoComplete="new-password"
        required
        error={isMissing ? 'Enter a password.' : task.errors.password}
      />
      <button type="submit" className="button" aria-disabled={task.isBusy}>
        {task.isBusy ? 'Saving…' : 'Save password'}
      </button>
    </form>
  );
}
