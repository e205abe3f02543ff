import { useState } from 'react';
import { exportAccount } from '../../api/account';
import { saveFile } from '../../browser/navigation';
import { BusyButton } from '../../forms/BusyButton';
import { Section } from '../parts/Section';
import { SubmitError } from '../parts/SignInAgain';
import { useSubmit } from '../parts/useSubmit';
import { DeleteAccount } from './DeleteAccount';

/** Export and deletion of the account's data. */
export function DataSection({ email }: { email: string }) {
  const task = useSubmit();
  const [isDeleting, setIsDeleting] = useState(false);

  const save = () =>
    task.run(async () => {
      const records = await exportAccount();
      saveFile('my-data.json', 'application/json', JSON.stringify(records, null, 2));
    });

  return (
    <Section id="data" title="Your data">
      <SubmitError task={task} />
      <div className="account-pair row">
        <p>Everything we hold about you, as one file that people and programs can read.</p>
        <BusyButton
          className="button button--quiet"
          isBusy={task.isBusy}
          busy="Gathering…"
          onClick={() => void save()}
        >
          Download my data
        </BusyButton>
      </div>
      <div className="account-pair row">
        <p>Deleting the account ends every sign-in and removes your records. It cannot be undone.</p>
        <button type="button" className="button button--danger" onClick={() => setIsDeleting(true)}>
          Delete my account…
        </button>
      </div>
      {isDeleting && <DeleteAccount email={email} onClose={() => setIsDeleting(false)} />}
    </Section>
  );
}
