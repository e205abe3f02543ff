import privatePageStyles from '../../static/css/private-page.css?text';
import { currentAddress } from '../browser/address';
import { loginAddress } from '../model/returnTo';
import { useStyles } from '../ui/useStyles';

type SignInFirstProps = { returnTo: string; title?: string; text?: string };

/** Shown instead of a private page when the sign-in has ended on it. Guests who open one are led to /login. */
export function SignInFirst({
  returnTo,
  title = 'Please sign in',
  text = 'You are not signed in, or your sign-in has ended.',
}: SignInFirstProps) {
  useStyles(privatePageStyles);
  return (
    <div className="sign-in-first">
      <h1>{title}</h1>
      <p className="muted">{text} You come straight back here.</p>
      <a className="button" href={loginAddress(returnTo)}>
        Sign in
      </a>
    </div>
  );
}

/** Shown to guests at the address of an order, whether there is such an order or not. */
export function SignInToSeeOrder() {
  return (
    <SignInFirst
      returnTo={currentAddress()}
      title="Sign in to see this order"
      text="An order is shown to whoever placed it."
    />
  );
}
