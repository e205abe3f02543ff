import accountStyles from '../../static/css/account.css?text';
import { loginAddress } from '../model/returnTo';
import { useStyles } from '../ui/useStyles';

/** Shown to guests instead of a page of their own. */
export function SignInFirst({ returnTo }: { returnTo: string }) {
  useStyles(accountStyles);
  return (
    <div className="account-page stack account-page--narrow">
      <h1>Please sign in</h1>
      <p className="account-empty">
        You are not signed in, or your sign-in has ended after 45 minutes. You come straight back here.
      </p>
      <a className="button" href={loginAddress(returnTo)}>
        Sign in
      </a>
    </div>
  );
}
