import { useState } from 'react';
import { exportAccount } from '../api/account';
import { saveFile } from '../browser/leaving';
import { DeleteAccount } from './DeleteAccount';
import { Section } from './Section';
import { TaskProblem } from './SignInAgain';
import { useTask } from './useTask';

/** What we know of a person is theirs: to take along, and to take away. */
export function DataSection({ email }: { email: string }) {
  const task = useTask();
  const [isDeleting, setIsDeleting] = useState(false);

  const save = () =>
    task.run(async () => {
      const records = await exportAccount();
      saveFile('my-data.json', 'application/json', JSON.stringify(records, null, 2));
    });

  return (
    <Section id="data" title="Your data">
      <TaskProblem task={task} />
      <div className="account-pair">
        <p>Everything we hold about you, as one file that people and programs can read.</p>
        <button
          type="button"
          className="button button--quiet"
          aria-disabled={task.isBusy}
          onClick={() => void save()}
        >
          {task.isBusy ? 'Gathering…' : 'Download my data'}
        </button>
      </div>
      <div className="account-pair">
        <p>Deleting the account ends every sign-in and removes your records. It cannot be undone.</p>
        <button type="button" className="button button--danger" onClick={() => setIsDeleting(true)}>
          Delete my account…
        </button>
      </div>
      {isDeleting && <DeleteAccount email={email} onClose={() => setIsDeleting(false)} />}
    </Section>
  );
}
