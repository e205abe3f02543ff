import { useId, useState } from 'react';
import { startPeopleFile, stopPeopleFile } from '../../api/organisation/peopleFiles';
import { useSite } from '../../api/site';
import { putInAddress } from '../../browser/navigation';
import type { PeopleFileProps, PeopleFileStatus, Upload } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { FileJob, isUnfinished } from '../../forms/FileJob';
import { SelectField } from '../../forms/SelectField';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { EmptyState } from '../../ui/EmptyState';
import { FileUpload } from '../../ui/upload/FileUpload';
import { usePeopleFile } from './usePeopleFile';

const MAX_BYTES = 2 * 2 ** 20;
const HEADING = 'email,name,team,role,courses';

/** Sends a file of people, shows what the check found, and then sends the invitations. */
export function PeopleFile({ contracts, maxRows, job: initial }: Omit<PeopleFileProps, 'title'>) {
  const [job, setJob] = usePeopleFile(initial);
  const call = useCall();
  const { count } = formatOf(useSite());
  const first = contracts[0];
  if (!first)
    return (
      <EmptyState
        title="Nobody can be invited now"
        text="Your organisation has no running contract that people could join through."
        links={[{ href: '/organization/contracts', text: 'See contracts' }]}
      />
    );

  async function start(uploadId: number, contractId: string, isCheck: boolean) {
    await call.run(async () => {
      const newJob = await startPeopleFile({ uploadId, contractId, isCheck, idempotencyKey: newUuid() });
      setJob(newJob);
      // One may leave the page, and come back to it.
      putInAddress('job', String(newJob.id));
    });
  }

  return (
    <>
      <NewFile
        contracts={contracts}
        maxRows={maxRows}
        isBusy={call.isBusy || (job !== null && isUnfinished(job))}
        onCheck={(upload, contractId) => void start(upload.id, contractId, true)}
      />
      <CallError call={call} />
      {job && <PeopleFileState job={job} onChange={setJob} />}
      {job && isSendable(job) && (
        <div>
          <Button
            isBusy={call.isBusy}
            busyText="Starting…"
            onClick={() => void start(job.uploadId, job.contractId, false)}
          >
            {job.good === 1 ? 'Send 1 invitation' : `Send ${count(job.good)} invitations`}
          </Button>
        </div>
      )}
    </>
  );
}

const isSendable = ({ isCheck, state, good }: PeopleFileStatus) => isCheck && state === 'done' && good > 0;

type NewFileProps = Pick<PeopleFileProps, 'contracts' | 'maxRows'> & {
  isBusy: boolean;
  onCheck: (upload: Upload, contractId: string) => void;
};

function NewFile({ contracts, maxRows, isBusy, onCheck }: NewFileProps) {
  const id = useId();
  const [upload, setUpload] = useState<Upload | null>(null);
  const { count } = formatOf(useSite());
  return (
    <form
      className="area-form area-box"
      onSubmit={(event) => {
        event.preventDefault();
        const contractId = String(new FormData(event.currentTarget).get('contractId') ?? '');
        if (upload) onCheck(upload, contractId);
      }}
    >
      <p>
        {`A CSV file in UTF-8 with at most ${count(maxRows)} rows, and these columns: `}
        <code>{HEADING}</code>. Only the email is needed. Courses are short names of the shop, with spaces
        between. Nothing is sent before you have seen the check.
      </p>
      {contracts.length > 1 && (
        <SelectField
          id={`${id}-contract`}
          name="contractId"
          label="Contract"
          options={contracts}
          defaultValue={contracts[0]?.value ?? ''}
        />
      )}
      <FileUpload
        purpose="members"
        label="File of people"
        accept=".csv,text/csv"
        maxBytes={MAX_BYTES}
        hint="At most 2 MiB."
        onDone={setUpload}
      />
      {upload && (
        <div>
          <Button isBusy={isBusy} busyText="Please wait…">
            Check the file
          </Button>
        </div>
      )}
    </form>
  );
}

type PeopleFileStateProps = { job: PeopleFileStatus; onChange: (job: PeopleFileStatus) => void };

function PeopleFileState({ job, onChange }: PeopleFileStateProps) {
  const { count } = formatOf(useSite());
  const { isCheck, state, total, processed, rate, good, bad, findings } = job;
  const rows = total === null ? '' : `${count(processed)} of ${count(total)} rows`;
  return (
    <FileJob
      id="people-file-title"
      heading={isCheck ? `Check of ${job.name}` : `Invitations of ${job.name}`}
      job={job}
      outcome={summary(job, count)}
      progressLabel="Rows that are done"
      progressText={rate === null ? rows : `${rows}, ${count(Math.round(rate))} a second`}
      onStop={async () => onChange(await stopPeopleFile(job.id))}
    >
      {findings.length > 0 && (
        <>
          <h3 className="heading-s">Left out</h3>
          <ul>
            {findings.map(({ line, text }) => (
              <li key={line}>{`Line ${count(line)}: ${text}`}</li>
            ))}
          </ul>
          {bad > findings.length && <p>{`And ${count(bad - findings.length)} more.`}</p>}
        </>
      )}
      {!isCheck && state === 'done' && good > 0 && (
        <p>
          At most 500 mails leave within an hour. <a href="/organization/invitations">See the invitations</a>
        </p>
      )}
    </FileJob>
  );
}

function summary({ isCheck, good, bad }: PeopleFileStatus, count: (number: number) => string): string {
  if (good + bad === 0) return '';
  const can = isCheck ? 'can be invited' : 'are invited';
  return `${count(good)} ${can}, ${count(bad)} left out.`;
}
