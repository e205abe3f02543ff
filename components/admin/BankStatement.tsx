import { useState } from 'react';
import { startStatement, stopStatement } from '../api/admin/bank';
import { useSite } from '../api/site';
import { navigateTo } from '../browser/navigation';
import type { BankStatementProps, StatementStatus, Upload } from '../contracts/schema';
import { formatOf } from '../format/format';
import { CallError } from '../forms/call/SignInAgain';
import { useCall } from '../forms/call/useCall';
import { FileJob, isUnfinished } from '../forms/FileJob';
import { newUuid } from '../model/uuid';
import { Button } from '../ui/controls/Button';
import { FileUpload } from '../ui/upload/FileUpload';
import { useRefreshWhile } from './useRefreshWhile';

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

function StatementState({ job }: { job: StatementStatus }) {
  const { count } = formatOf(useSite());
  const { counts, sums, skipped, isCheck, state } = job;
  const stop = async () => {
    await stopStatement(job.id);
    navigateTo(`/admin/bank-statements?job=${job.id}`);
  };
  return (
    <FileJob
      id="statement-title"
      heading={isCheck ? `Check of ${job.name}` : `Entries of ${job.name}`}
      job={job}
      outcome={state !== 'done' ? '' : isCheck ? 'Nothing is booked yet.' : 'Its entries are booked.'}
      progressLabel="Entries that are done"
      onStop={stop}
    >
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
      {!isCheck && state === 'done' && (
        <p>
          <a href="/admin/bank-entries?state=open">See what is to decide</a>
        </p>
      )}
    </FileJob>
  );
}
