import { stopPeopleFile } from '../../api/organisation/peopleFiles';
import type { PeopleFileStatus } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { Progress } from '../../ui/loading/Progress';
import { isUnfinished } from './usePeopleFile';

type PeopleFileStateProps = { job: PeopleFileStatus; onChange: (job: PeopleFileStatus) => void };

/** How far a file is, and what was found in it. */
export function PeopleFileState({ job, onChange }: PeopleFileStateProps) {
  const call = useCall();
  const { total, processed, rate, good, bad, findings, error } = job;
  return (
    <section className="area-part" aria-labelledby="people-file-title">
      <h2 className="heading-m" id="people-file-title">
        {job.isCheck ? `Check of ${job.name}` : `Invitations of ${job.name}`}
      </h2>
      <p role="status">{`${STATES[job.state]} ${summary(job)}`}</p>
      {isUnfinished(job) && (
        <>
          <Progress value={processed} max={total ?? undefined} label="Rows that are done" />
          <p className="muted">
            {total !== null && `${processed} of ${total} rows`}
            {rate !== null && `, ${Math.round(rate)} a second`}
          </p>
          <CallError call={call} />
          <div>
            <Button
              variant="quiet"
              isBusy={call.isBusy}
              busyText="Stopping…"
              onClick={() => void call.run(async () => onChange(await stopPeopleFile(job.id)))}
            >
              Stop
            </Button>
          </div>
        </>
      )}
      {error && <p className="upload__error">{error}</p>}
      {findings.length > 0 && (
        <>
          <h3 className="heading-s">Left out</h3>
          <ul>
            {findings.map(({ line, text }) => (
              <li key={line}>{`Line ${line}: ${text}`}</li>
            ))}
          </ul>
          {bad > findings.length && <p>{`And ${bad - findings.length} more.`}</p>}
        </>
      )}
      {!job.isCheck && job.state === 'done' && good > 0 && (
        <p>
          At most 500 mails leave within an hour. <a href="/organization/invitations">See the invitations</a>
        </p>
      )}
    </section>
  );
}

const STATES = {
  queued: 'It waits for its turn.',
  running: 'It is under way; you may leave this page.',
  done: 'Done.',
  failed: 'It failed.',
  stopped: 'It was stopped.',
};

function summary({ isCheck, good, bad }: PeopleFileStatus): string {
  if (good + bad === 0) return '';
  const can = isCheck ? 'can be invited' : 'are invited';
  return `${good} ${can}, ${bad} left out.`;
}
