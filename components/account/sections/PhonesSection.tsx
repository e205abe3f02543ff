import { useState } from 'react';
import {
  addPhone,
  challengePhone,
  getPhones,
  type Phone,
  type PhoneMethod,
  removePhone,
  verifyPhone,
} from '../../api/account/account';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { Fetched, Section } from '../parts/Section';
import { type FetchState, useFetched } from '../parts/useFetched';
import { AddForm } from './AddForm';
import { CodeForm } from './CodeForm';
import { ContactRow, NOT_CONFIRMED } from './ContactRow';

export function PhonesSection() {
  const loaded = useFetched(getPhones);
  return (
    <Section
      id="phones"
      title="Phone numbers"
      text="For codes by text message or call. We never call to sell."
    >
      <Fetched loaded={loaded} label="phone numbers">
        {(phones) => <Phones phones={phones} loaded={loaded} />}
      </Fetched>
    </Section>
  );
}

type Challenge = Phone & { method: PhoneMethod };

function Phones({ phones, loaded }: { phones: Phone[]; loaded: FetchState<Phone[]> }) {
  const task = useCall();
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const list = useRestoredFocus<HTMLUListElement>(phones.length);

  const sendCode = (phone: Phone, method: PhoneMethod) =>
    task.run(async () => {
      await challengePhone(phone.id, method);
      setChallenge({ ...phone, method });
    });

  const take = (phone: Phone) =>
    task.run(async () => {
      await removePhone(phone);
      loaded.set(phones.filter(({ id }) => id !== phone.id));
    });

  async function add(number: string, method: PhoneMethod) {
    const { phone } = await addPhone(number, method);
    loaded.set([...phones.filter(({ id }) => id !== phone.id), phone]);
    setIsAdding(false);
    setChallenge({ ...phone, method });
  }

  return (
    <>
      {!challenge && !isAdding && <CallError call={task} />}
      {phones.length === 0 && !isAdding && <p className="account-empty">No number yet.</p>}
      <ul className="account-list" ref={list} tabIndex={-1} aria-label="Phone numbers">
        {phones.map((phone) => (
          <ContactRow
            key={phone.id}
            icon="phone"
            text={phone.number}
            badges={[!phone.isVerified && NOT_CONFIRMED]}
            isBusy={task.isBusy}
            actions={[!phone.isVerified && { text: 'Confirm', onPress: () => void sendCode(phone, 'SMS') }]}
            question={`Remove ${phone.number}?`}
            onRemove={() => void take(phone)}
          />
        ))}
      </ul>
      {challenge && (
        <CodeForm
          key={challenge.id}
          contact={challenge.number}
          task={task}
          onCode={async (code) => loaded.set(await verifyPhone(challenge.id, code))}
          onConfirmed={() => {
            setChallenge(null);
            void notify('success', `${challenge.number} is confirmed.`);
          }}
          onResend={() => void sendCode(challenge, challenge.method)}
          onCancel={() => setChallenge(null)}
        />
      )}
      {isAdding && (
        <AddForm
          name="number"
          label="New number"
          type="tel"
          hint="With the country code, as in +1 555 0100."
          task={task}
          check={(value) =>
            /^\+[\d\s().-]{6,}$/.test(value)
              ? ''
              : 'Enter the number with its country code, as in +1 555 0100.'
          }
          onAdd={(value, data) => add(plainNumber(value), methodOf(data))}
          onCancel={() => setIsAdding(false)}
        >
          <PhoneMethods />
        </AddForm>
      )}
      {!isAdding && !challenge && (
        <Button variant="quiet" onClick={() => setIsAdding(true)}>
          Add a number
        </Button>
      )}
    </>
  );
}

const plainNumber = (number: string) => number.replace(/[^+\d]/g, '');
const methodOf = (data: FormData): PhoneMethod => (data.get('method') === 'CALL' ? 'CALL' : 'SMS');

function PhoneMethods() {
  return (
    <fieldset className="choice">
      <legend className="field__label">Send the code by</legend>
      <div className="choice__options choice__options--row">
        <label className="option">
          <input type="radio" className="option__radio" name="method" value="SMS" defaultChecked />
          Text message
        </label>
        <label className="option">
          <input type="radio" className="option__radio" name="method" value="CALL" />
          Call
        </label>
      </div>
    </fieldset>
  );
}
