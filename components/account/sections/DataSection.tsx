import { useState } from 'react';
import { exportAccount, forgetAddresses } from '../../api/account/account';
import { saveFile } from '../../browser/navigation';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { Section } from '../parts/Section';
import { DeleteAccount } from './DeleteAccount';

/** Export and deletion of the account's data. */
export function DataSection({ email, hasKnownAddress }: { email: string; hasKnownAddress: boolean }) {
  const task = useCall();
  const [isKnown, setIsKnown] = useState(hasKnownAddress);
  const [isDeleting, setIsDeleting] = useState(false);

  const save = () =>
    task.run(async () => {
      const records = await exportAccount();
      saveFile('my-data.json', 'application/json', JSON.stringify(records, null, 2));
    });

  async function forget() {
    if (await task.run(forgetAddresses)) {
      setIsKnown(false);
      void notify('info', 'Your address is forgotten. The next checkout begins empty.');
    }
  }

  return (
    <Section id="data" title="Your data">
      <CallError call={task} />
      <div className="account-pair row">
        <p>Everything we hold about you, as one file that people and programs can read.</p>
        <Button variant="quiet" isBusy={task.isBusy} busyText="Gathering…" onClick={() => void save()}>
          Download my data
        </Button>
      </div>
      {isKnown && (
        <div className="account-pair row">
          <p>The name and address of your last order are filled in at your next checkout.</p>
          <Button variant="quiet" onClick={() => void forget()}>
            Forget my address
          </Button>
        </div>
      )}
      <div className="account-pair row">
        <p>Deleting the account ends every sign-in and removes your records. It cannot be undone.</p>
        <Button variant="danger" onClick={() => setIsDeleting(true)}>
          Delete my account…
        </Button>
      </div>
      {isDeleting && <DeleteAccount email={email} onClose={() => setIsDeleting(false)} />}
    </Section>
  );
}
