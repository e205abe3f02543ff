import accountStyles from '../../static/css/account.css?text';
import { enrollPassword, getPassword } from '../api/account/account';
import { useAuth } from '../api/auth';
import { useNavigate } from '../browser/useNavigate';
import { FormStatus } from '../forms/call/FormStatus';
import { errorsOf } from '../forms/call/formValues';
import { useCallForm } from '../forms/call/useCallForm';
import { PasswordField } from '../forms/PasswordField';
import { PasswordOwner } from '../forms/PasswordOwner';
import { Button } from '../ui/controls/Button';
import { notify } from '../ui/toasts/toasts';
import { useStyles } from '../ui/useStyles';
import { Fetched } from './parts/Section';
import { useFetched } from './parts/useFetched';

/** Sets the first password of an account. An account that has one gets a link to change it. */
export function FirstPassword() {
  useStyles(accountStyles);
  const loaded = useFetched(getPassword);
  return (
    <div className="account-page stack account-page--narrow">
      <h1>Choose a password</h1>
      <Fetched loaded={loaded} label="password's state">
        {({ status }) => (status === 'ACTIVE' ? <HasPassword /> : <FirstPasswordForm />)}
      </Fetched>
    </div>
  );
}

function HasPassword() {
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
  const navigate = useNavigate();
  const { learner } = useAuth();
  const form = useCallForm(enrollPassword, {
    read: (data) => String(data.get('password') ?? ''),
    check: (password) => errorsOf({ password: !password && 'Enter a password.' }),
    onSuccess: () => {
      void notify('success', 'Your password is set.');
      navigate('/profile');
    },
  });

  return (
    <form className="account-form stack" {...form.formProps}>
      <FormStatus form={form} />
      <PasswordOwner name={learner?.email ?? ''} />
      <PasswordField
        id="first-password"
        name="password"
        label="Password"
        autoComplete="new-password"
        required
        error={form.errors.password}
      />
      <Button isBusy={form.isBusy} busyText="Saving…">
        Save password
      </Button>
    </form>
  );
}
