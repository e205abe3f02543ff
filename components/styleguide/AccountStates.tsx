import accountStyles from '../../static/css/account.css?text';
import { NamesForm } from '../account/parts/NamesForm';
import { FetchError, SectionSkeleton } from '../account/parts/Section';
import { SessionEndBar } from '../account/SessionEndBar';
import { ContactRow, NOT_CONFIRMED } from '../account/sections/ContactRow';
import { EMAILS, profile } from '../fixtures/identity';
import { NO_ERROR } from '../forms/call/callOutcome';
import { useStyles } from '../ui/useStyles';
import { Group, State } from './guide/Guide';
import { UNBROKEN } from './guide/texts';

const noop = () => undefined;
const PROFILE = profile();

/** Parts of the profile. */
export function AccountStates() {
  useStyles(accountStyles);
  return (
    <Group id="account" title="Account">
      <SessionEndStates />
      <State label="Addresses: primary, another one, not confirmed, longer than its place">
        <ul className="account-list">
          {[...EMAILS, { id: 'long', email: UNBROKEN, isPrimary: false, isVerified: false }].map((email) => (
            <ContactRow
              key={email.id}
              icon="mail"
              text={email.email}
              badges={[email.isPrimary && { text: 'Primary' }, !email.isVerified && NOT_CONFIRMED]}
              isBusy={false}
              actions={[!email.isVerified && { text: 'Confirm', onPress: noop }]}
              question={email.isPrimary ? null : 'Remove it?'}
              onRemove={noop}
            />
          ))}
        </ul>
      </State>
      <State label="A form of the provider's attributes">
        <NamesForm
          profile={PROFILE}
          attributes={PROFILE.attributes.filter(({ isReadOnly }) => !isReadOnly)}
          submit="Save"
          onSaved={noop}
        />
      </State>
      <State label="On its way; could not be loaded; wants a newer sign-in">
        <SectionSkeleton label="addresses" />
        <FetchError problem={{ ...NO_ERROR, text: 'Unknown error.' }} label="addresses" onRetry={noop} />
        <FetchError problem={{ ...NO_ERROR, signIn: { maxAge: 900 } }} label="addresses" onRetry={noop} />
      </State>
    </Group>
  );
}

/** The bar above a private page, in the last minutes of a sign-in and after it. */
function SessionEndStates() {
  return (
    <>
      <State label="A sign-in that ends soon" ground="bare">
        <SessionEndBar isOver={false} expiresAt="2026-09-15T12:45:00Z" href="#account" />
      </State>
      <State label="A sign-in that has ended" ground="bare">
        <SessionEndBar isOver expiresAt="2026-09-15T12:45:00Z" href="#account" />
      </State>
    </>
  );
}
