import { useState } from 'react';
import { startStatement, stopStatement } from '../api/admin/bank';
import { useSite } from '../api/site';
import { navigateTo } from '../browser/navigation';
import type { BankStatementProps, StatementStatus, Upload } from '../contracts/schema';
import { formatOf } from '../format/format';
import { CallError } from '../forms/call/SignInAgain';
import { useCall } from '../forms/call/useCall';
import { newUuid } from '../model/uuid';
import { Button } from '../ui/controls/Button';
import { Progress } from '../ui/loading/Progress';
import { FileUpload } from '../ui/upload/FileUpload';
import { useRefreshWhile } from './useRefreshWhile';

const isUnfinished = ({ state }: StatementStatus) => state === 'queued' || state === 'running';

/** Sends a statement of the bank, shows what its entries would do, and then books them. */
export function BankStatement({ maxBytes, job }: Omit<BankStatementProps, 'title'>) {
  const call = useCall();
  const { count } = formatOf(useSite());
  const [upload, setUpload] = useState<Upload | null>(null);
  const isRunning = job !== null && isUnfinished(job);
  useRefreshWhile(isRunning);

  const start = (uploadId: number, isCheck: boolean) =>
    call.run(async () => {
      const started = await startStatement({ uploadId, isCheck, idempotencyKey: newUuid() });
      // One may leave the page, and come back to it.
      navigateTo(`/admin/bank-statements?job=${started.id}`);
    });

  return (
    <>
      <form
        className="area-form area-box"
        onSubmit={(event) => {
          event.preventDefault();
          if (upload) void start(upload.id, true);
        }}
      >
        <p>
          A statement of the shop’s account as your bank gives it: camt.053 (XML). What is in it twice, or was
          in an earlier file, counts once. Nothing is booked before you have seen the check.
        </p>
        <FileUpload
          purpose="statement"
          label="Statement"
          accept=".xml,text/xml,application/xml"
          maxBytes={maxBytes}
          hint={`At most ${count(maxBytes / 2 ** 20)} MiB.`}
          onDone={setUpload}
        />
        {upload && (
          <div>
            <Button isBusy={call.isBusy || isRunning} busyText="Please wait…">
              Check the statement
            </Button>
          </div>
        )}
      </form>
      <CallError call={call} />
      {job && <StatementState job={job} />}
      {job?.canBook && (
        <div>
          <Button isBusy={call.isBusy} busyText="Starting…" onClick={() => void start(job.uploadId, false)}>
            Book the entries
          </Button>
        </div>
      )}
    </>
  );
}

/** How far a statement is, and what was found in it. */
function StatementState({ job }: { job: StatementStatus }) {
  const call = useCall();
  const { count } = formatOf(useSite());
  const { total, processed, counts, sums, skipped, error } = job;
  const stop = async () => {
    await stopStatement(job.id);
    navigateTo(`/admin/bank-statements?job=${job.id}`);
  };
  return (
    <section className="area-part" aria-labelledby="statement-title">
      <h2 className="heading-m" id="statement-title">
        {job.isCheck ? `Check of ${job.name}` : `Entries of ${job.name}`}
      </h2>
      <p role="status">
        {STATES[job.state]}{' '}
        {job.state === 'done' && (job.isCheck ? 'Nothing is booked yet.' : 'Its entries are booked.')}
      </p>
      {isUnfinished(job) && (
        <>
          <Progress value={processed} max={total ?? undefined} label="Entries that are done" />
          <CallError call={call} />
          <div>
            <Button
              variant="quiet"
              isBusy={call.isBusy}
              busyText="Stopping…"
              onClick={() => void call.run(stop)}
            >
              Stop
            </Button>
          </div>
        </>
      )}
      {error && <p className="upload__error">{error}</p>}
      {counts.length > 0 && (
        <dl className="area-facts">
          {counts.map((row) => (
            <div key={row.label} className="area-facts__fact">
              <dt>{row.label}</dt>
              <dd>{count(row.count)}</dd>
            </div>
          ))}
        </dl>
      )}
      {sums.length > 0 && <p>{`Credits that pay orders: ${sums.join(', ')}.`}</p>}
      {skipped > 0 && <p>{`${count(skipped)} entries are not booked by the bank yet, and left out.`}</p>}
      {!job.isCheck && job.state === 'done' && (
        <p>
          <a href="/admin/bank-entries?state=open">See what is to decide</a>
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
