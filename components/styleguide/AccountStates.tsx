import accountStyles from '../../../static/css/account.css?text';
import { ContactRow } from '../../account/ContactRow';
import { NamesForm } from '../../account/NamesForm';
import { LoadProblem, PartSkeleton } from '../../account/Section';
import type { Outcome } from '../../account/useTask';
import { EMAILS, profile } from '../../ui/identitySamples';
import { useStyles } from '../../ui/useStyles';
import { Group, State } from './Guide';
import { UNBROKEN } from './texts';

const NOTHING = () => undefined;
const FINE: Outcome = { text: '', errors: {}, maxAge: null };
const PROFILE = profile();

/** Parts of the profile. */
export function AccountStates() {
  useStyles(accountStyles);
  return (
    <Group id="account" title="Account">
      <State label="Addresses: primary, another one, not confirmed, longer than its place">
        <ul className="account-list">
          {[...EMAILS, { id: 'long', email: UNBROKEN, isPrimary: false, isVerified: false }].map((email) => (
            <ContactRow
              key={email.id}
              icon="mail"
              text={email.email}
              badges={[email.isPrimary && 'Primary', !email.isVerified && 'Not confirmed']}
              isBusy={false}
              actions={[!email.isVerified && { text: 'Confirm', onPress: NOTHING }]}
              question={email.isPrimary ? null : 'Remove it?'}
              onRemove={NOTHING}
            />
          ))}
        </ul>
      </State>
      <State label="A form of the provider's attributes">
        <NamesForm
          profile={PROFILE}
          attributes={PROFILE.attributes.filter(({ isReadOnly }) => !isReadOnly)}
          submit="Save"
          onSaved={NOTHING}
        />
      </State>
      <State label="On its way; could not be loaded; wants a newer sign-in">
        <PartSkeleton what="addresses" />
        <LoadProblem problem={{ ...FINE, text: 'Unknown error.' }} what="addresses" onRetry={NOTHING} />
        <LoadProblem problem={{ ...FINE, maxAge: 900 }} what="addresses" onRetry={NOTHING} />
      </State>
    </Group>
  );
}
