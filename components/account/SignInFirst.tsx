import privatePageStyles from '../../static/css/private-page.css?text';
import { loginAddress } from '../model/returnTo';
import { useStyles } from '../ui/useStyles';

/** Shown to guests instead of a page of their own. */
export function SignInFirst({ returnTo }: { returnTo: string }) {
  useStyles(privatePageStyles);
  return (
    <div className="sign-in-first">
      <h1>Please sign in</h1>
      <p className="muted">
        You are not signed in, or your sign-in has ended after 45 minutes. You come straight back here.
      </p>
      <a className="button" href={loginAddress(returnTo)}>
        Sign in
      </a>
    </div>
  );
}
