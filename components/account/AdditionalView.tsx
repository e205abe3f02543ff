import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import accountStyles from '../../static/css/account.css?text';
import { getProfile, type Profile } from '../api/account/account';
import { useAuth } from '../api/auth';
import { useNavigate } from '../browser/useNavigate';
import { safeReturn } from '../model/returnTo';
import { useStyles } from '../ui/useStyles';
import { NamesForm } from './parts/NamesForm';
import { Fetched } from './parts/Section';
import { useFetched } from './parts/useFetched';
import { SignInFirst } from './SignInFirst';

/** The whole of /additional: the required attributes without a value; skipped when there is none. */
export function AdditionalView() {
  useStyles(accountStyles);
  const { learner } = useAuth();
  return learner ? <Additional /> : <SignInFirst returnTo="/additional" />;
}

function Additional() {
  const loaded = useFetched(getProfile);
  const returnTo = safeReturn(new URLSearchParams(useLocation().search).get('returnTo'));
  return (
    <div className="account-page stack account-page--narrow">
      <h1>A few more details</h1>
      <p className="account-empty">These are still missing from your account. Then you are done.</p>
      <Fetched loaded={loaded} label="details">
        {(profile) => <MissingDetails profile={profile} returnTo={returnTo} onSaved={loaded.set} />}
      </Fetched>
    </div>
  );
}

type MissingDetailsProps = { profile: Profile; returnTo: string; onSaved: (profile: Profile) => void };

function MissingDetails({ profile, returnTo, onSaved }: MissingDetailsProps) {
  const navigate = useNavigate();
  const missing = missingOf(profile);
  const isComplete = missing.length === 0;

  useEffect(() => {
    if (isComplete) navigate(returnTo, { replace: true });
  }, [isComplete, returnTo, navigate]);

  if (isComplete) return <p role="status">Nothing is missing. Please wait…</p>;
  return <NamesForm profile={profile} attributes={missing} submit="Save and continue" onSaved={onSaved} />;
}

/** Attributes that must have a value, may be written, and have none. */
export function missingOf({ profile, attributes }: Profile): Profile['attributes'] {
  return attributes.filter(({ name, required, isReadOnly }) => required && !isReadOnly && !profile[name]);
}
