import accountStyles from '../../static/css/account.css?text';
import { useAuth } from '../api/auth';
import type { ProfileProps } from '../contracts/schema';
import { useStyles } from '../ui/useStyles';
import { Section } from './parts/Section';
import { StudentNumber } from './parts/StudentNumber';
import { DataSection } from './sections/DataSection';
import { EmailsSection } from './sections/EmailsSection';
import { NamesSection } from './sections/NamesSection';
import { PasswordSection } from './sections/PasswordSection';
import { PhonesSection } from './sections/PhonesSection';
import { ProviderAccount } from './sections/ProviderAccount';
import { SessionsSection } from './sections/SessionsSection';
import { SignInMethods } from './sections/SignInMethods';

const OWN_PARTS = [
  ['sessions', 'Where you are signed in'],
  ['data', 'Your data'],
] as const;
const PARTS = [
  ['names', 'About you'],
  ['emails', 'Email addresses'],
  ['phones', 'Phone numbers'],
  ['password', 'Password'],
  ['ways', 'Ways to sign in'],
  ...OWN_PARTS,
] as const;
const PARTS_OF_PROVIDER = [['account', 'About you'], ...OWN_PARTS] as const;

/** The whole of /profile. */
export function ProfileView({
  account,
  access,
  sessions,
  hasKnownAddress,
  studentNumber,
}: Omit<ProfileProps, 'title'>) {
  useStyles(accountStyles);
  const learner = useAuth().learner;
  if (!learner) return null;
  return (
    <div className="account-page stack">
      <div className="account-page__head row">
        <div>
          <h1>Your profile</h1>
          <p className="account-page__learner">{learner.email}</p>
          {studentNumber && <StudentNumber number={studentNumber} />}
        </div>
        <a className="button button--quiet" href="/logout">
          Sign out
        </a>
      </div>
      <div className="account-page__columns stack">
        <nav className="account-nav" aria-label="Parts of your profile">
          <ul>
            {(account || access ? PARTS_OF_PROVIDER : PARTS).map(([id, text]) => (
              <li key={id}>
                <a className="account-nav__link" href={`#${id}`}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="account-page__sections stack">
          {account && <ProviderAccount account={account} />}
          {access && <AccountAccess href={access} />}
          {!account && !access && <AccountSections email={learner.email} />}
          <SessionsSection sessions={sessions} />
          <DataSection email={learner.email} hasKnownAddress={hasKnownAddress} />
        </div>
      </div>
    </div>
  );
}

/** The provider wants to be asked before this sign-in may read and change the account. */
function AccountAccess({ href }: { href: string }) {
  return (
    <Section
      id="account"
      title="About you"
      text="Your name, your addresses and your password are kept by our sign-in provider."
    >
      <p>Sign in there once more to see and change them here. You come straight back.</p>
      <a className="button" href={href}>
        Open my account
      </a>
    </Section>
  );
}

/** What is read and changed by the provider's MyAccount API. */
function AccountSections({ email }: { email: string }) {
  return (
    <>
      <NamesSection />
      <EmailsSection />
      <PhonesSection />
      <PasswordSection email={email} />
      <SignInMethods email={email} />
    </>
  );
}
