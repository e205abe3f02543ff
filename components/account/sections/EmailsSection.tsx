import { useState } from 'react';
import {
  addEmail,
  challengeEmail,
  type Email,
  getEmails,
  makePrimary,
  removeEmail,
  verifyEmail,
} from '../../api/account/account';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { isolated } from '../../model/isolated';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { Fetched, Section } from '../parts/Section';
import { type FetchState, useFetched } from '../parts/useFetched';
import { AddForm } from './AddForm';
import { CodeForm } from './CodeForm';
import { ContactRow, NOT_CONFIRMED } from './ContactRow';

export function EmailsSection() {
  const loaded = useFetched(getEmails);
  return (
    <Section
      id="emails"
      title="Email addresses"
      text="You sign in and get receipts with the primary one. Others help you back in."
    >
      <Fetched loaded={loaded} label="addresses">
        {(emails) => <Emails emails={emails} loaded={loaded} />}
      </Fetched>
    </Section>
  );
}

/** A code was sent to this address. */
type Challenge = { id: string; email: string; challengeId: string };

function Emails({ emails, loaded }: { emails: Email[]; loaded: FetchState<Email[]> }) {
  const task = useCall();
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const list = useRestoredFocus<HTMLUListElement>(emails.length);

  const sendCode = (email: Email) =>
    task.run(async () =>
      setChallenge({ ...email, challengeId: (await challengeEmail(email.id)).challengeId }),
    );

  const change = (email: Email) =>
    task.run(async () => {
      const result = await makePrimary(email.id);
      setChallenge({ ...result.email, challengeId: result.challengeId });
    });

  const take = (email: Email) =>
    task.run(async () => {
      await removeEmail(email);
      loaded.set(emails.filter(({ id }) => id !== email.id));
    });

  async function add(address: string) {
    const result = await addEmail(address, false);
    loaded.set([...emails.filter(({ id }) => id !== result.email.id), result.email]);
    setIsAdding(false);
    setChallenge({ ...result.email, challengeId: result.challengeId });
  }

  return (
    <>
      {!challenge && !isAdding && <CallError call={task} />}
      {emails.length === 0 && <p>There is no address yet.</p>}
      <ul className="account-list" ref={list} tabIndex={-1} aria-label="Email addresses">
        {emails.map((email) => (
          <ContactRow
            key={email.id}
            icon="mail"
            text={email.email}
            badges={[email.isPrimary && { text: 'Primary' }, !email.isVerified && NOT_CONFIRMED]}
            isBusy={task.isBusy}
            actions={[
              !email.isVerified && { text: 'Confirm', onPress: () => void sendCode(email) },
              email.isVerified &&
                !email.isPrimary && { text: 'Make primary', onPress: () => void change(email) },
            ]}
            question={email.isPrimary ? null : `Remove ${isolated(email.email)}?`}
            onRemove={() => void take(email)}
          />
        ))}
      </ul>
      {challenge && (
        <CodeForm
          key={challenge.challengeId}
          contact={challenge.email}
          task={task}
          onCode={async (code) => loaded.set(await verifyEmail(challenge.id, challenge.challengeId, code))}
          onConfirmed={() => {
            setChallenge(null);
            void notify('success', `${isolated(challenge.email)} is confirmed.`);
          }}
          onResend={() => void sendCode({ ...challenge, isPrimary: false, isVerified: false })}
          onCancel={() => setChallenge(null)}
        />
      )}
      {isAdding && (
        <AddForm
          name="email"
          label="New address"
          type="email"
          task={task}
          check={(value) =>
            /^[^\s@]+@[^\s@]+$/.test(value) ? '' : 'Enter an email address in the form name@example.com.'
          }
          onAdd={add}
          onCancel={() => setIsAdding(false)}
        />
      )}
      {!isAdding && !challenge && (
        <Button variant="quiet" onClick={() => setIsAdding(true)}>
          Add an address
        </Button>
      )}
    </>
  );
}
