import accountStyles from '../../static/css/account.css?text';
import { useAuth } from '../api/auth';
import { loginAddress } from '../model/returnTo';
import { useStyles } from '../ui/useStyles';
import { DataSection } from './sections/DataSection';
import { EmailsSection } from './sections/EmailsSection';
import { NamesSection } from './sections/NamesSection';
import { PasswordSection } from './sections/PasswordSection';
import { PhonesSection } from './sections/PhonesSection';
import { SessionsSection } from './sections/SessionsSection';
import { SignInMethods } from './sections/SignInMethods';

const PARTS = [
  ['names', 'About you'],
  ['emails', 'E-mail addresses'],
  ['phones', 'Phone numbers'],
  ['password', 'Password'],
  ['ways', 'Ways to sign in'],
  ['sessions', 'Where you are signed in'],
  ['data', 'Your data'],
] as const;

/** The whole of /profile. */
export function ProfileView() {
  useStyles(accountStyles);
  const { learner } = useAuth();
  if (!learner) return <SignInFirst returnTo="/profile" />;
  return (
    <div className="account-page stack">
      <div className="account-page__head row">
        <div>
          <h1>Your profile</h1>
          <p className="account-page__learner">{learner.email}</p>
        </div>
        <a className="button button--quiet" href="/logout">
          Sign out
        </a>
      </div>
      <div className="account-page__columns stack">
        <nav className="account-nav" aria-label="Parts of your profile">
          <ul>
            {PARTS.map(([id, text]) => (
              <li key={id}>
                <a className="account-nav__link" href={`#${id}`}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="account-page__sections stack">
          <NamesSection />
          <EmailsSection />
          <PhonesSection />
          <PasswordSection email={learner.email} />
          <SignInMethods email={learner.email} />
          <SessionsSection />
          <DataSection email={learner.email} />
        </div>
      </div>
    </div>
  );
}

/** Shown to guests instead of a page of the account. */
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
