import areaStyles from '../../static/css/register-organisation.css?text';
import { applyForOrganisation } from '../api/organisation/applications';
import { navigateTo } from '../browser/navigation';
import type { OrganisationRegisterProps } from '../contracts/schema';
import { isolated } from '../model/isolated';
import { loginAddress } from '../model/returnTo';
import { Notice } from '../ui/Notice';
import { useStyles } from '../ui/useStyles';
import { ApplicationForm } from './ApplicationForm';

const PATH = '/organization-register';

/** Shown to guests: an account comes first, and leads back here. */
export function AccountFirst() {
  useStyles(areaStyles);
  return (
    <div className="register-organisation stack">
      <h1>Register an organisation</h1>
      <p>
        Courses for your people at your own terms: seats, contracts and reports in one place. First you need
        an account of your own, with an email address that you have verified. Then you come straight back
        here.
      </p>
      <p className="row register-organisation__ways">
        <a className="button" href={loginAddress(PATH, '/register')}>
          Create an account
        </a>
        <a className="button button--quiet" href={loginAddress(PATH)}>
          Sign in
        </a>
      </p>
    </div>
  );
}

/** The page for who has signed in: the form, or what has to be done before. */
export function RegisterOrganisation({ email, isVerified, open }: Omit<OrganisationRegisterProps, 'title'>) {
  useStyles(areaStyles);
  return (
    <div className="register-organisation stack">
      <h1>Register an organisation</h1>
      {open && (
        <Notice title={`Your application for ${isolated(open.name)}`}>
          <p>
            <a href={open.href}>See how far it is</a>
          </p>
        </Notice>
      )}
      {isVerified ? <Form email={email} /> : <VerifyFirst email={email} />}
    </div>
  );
}

function Form({ email }: { email: string }) {
  return (
    <>
      <p>{`You become its first owner, with your account ${isolated(email)}. We answer within two working days.`}</p>
      <ApplicationForm
        button="Send application"
        send={applyForOrganisation}
        onSuccess={({ href }) => navigateTo(href)}
      />
    </>
  );
}

function VerifyFirst({ email }: { email: string }) {
  return (
    <Notice kind="warning" title="Verify your email address first">
      <p>
        {email
          ? `We must know that ${isolated(email)} is yours. Verify it on your profile, then come back here.`
          : 'Your account has no email address. Add one on your profile, then come back here.'}
      </p>
      <p>
        <a className="button" href="/profile">
          Open my profile
        </a>
      </p>
    </Notice>
  );
}
