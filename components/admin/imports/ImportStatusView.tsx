import { useEffect, useState } from 'react';
import uploadStyles from '../../../static/css/upload.css?text';
import { readImport, startImport, stopImport } from '../../api/admin/imports';
import { useSite } from '../../api/site';
import { navigateTo } from '../../browser/navigation';
import type { ImportProps, ImportStatus } from '../../contracts/schema';
import { type Format, formatOf } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { Progress } from '../../ui/loading/Progress';
import { ShortTable, type TableAlone } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';
import { useStyles } from '../../ui/useStyles';

const STATES: Record<ImportStatus['state'], string> = {
  queued: 'Waiting to begin',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  stopped: 'Stopped',
};

/** One check or import, while it runs and afterwards. One may leave the page meanwhile. */
export function ImportStatusView({ backHref, status: initial }: ImportProps) {
  useStyles(uploadStyles);
  const format = formatOf(useSite());
  const [status, setStatus] = useImportStatus(initial);
  const call = useCall();
  const stop = () => call.run(async () => setStatus(await stopImport(status.id)));
  const start = () => call.run(async () => navigateTo(`/admin/imports/${(await startImport(status.id)).id}`));
  return (
    <div className="area-page">
      <header>
        <a className="area-page__back" href={backHref}>
          All imports
        </a>
        <h1>{`${status.isCheck ? 'Check' : 'Import'} of ${status.name}`}</h1>
      </header>
      <CallError call={call} />
      <section className="area-part" aria-label="State">
        <Progress
          label={STATES[status.state]}
          value={percentOf(status)}
          text={progressText(status, format)}
        />
        {status.error && <p className="upload__error">{status.error}</p>}
        {isRunning(status) && (
          <div className="row">
            <Button variant="quiet" isBusy={call.isBusy} busyText="Stopping…" onClick={() => void stop()}>
              Stop
            </Button>
          </div>
        )}
        {status.ready !== null && status.ready > 0 && (
          <div className="row">
            <Button isBusy={call.isBusy} busyText="Starting…" onClick={() => void start()}>
              {`Import ${format.count(status.ready)} ${status.ready === 1 ? 'row' : 'rows'}`}
            </Button>
          </div>
        )}
        {status.ready === 0 && <p>None of the rows can be imported.</p>}
      </section>
      <Counts status={status} format={format} />
      {status.rowsHref && (
        <p>
          <a href={status.rowsHref} download>
            Every row with its result, as CSV
          </a>
        </p>
      )}
      {status.refusedHref && (
        <p>
          <a href={status.refusedHref} download>
            The rows that are left out, as in the file, with the reason
          </a>
        </p>
      )}
      <FindingsTable status={status} format={format} />
    </div>
  );
}

/** Null while it is not known how much there is. */
function percentOf({ state, processed, total }: ImportStatus): number | null {
  if (state === 'done') return 100;
  return total ? Math.floor((processed / total) * 100) : state === 'running' ? null : 0;
}

function progressText({ isCheck, state, processed, total, rate }: ImportStatus, format: Format): string {
  const { count } = format;
  if (isCheck)
    return state === 'done'
      ? 'Whole file read'
      : total
        ? format.percent(String(percent(processed, total)))
        : '';
  const speed = rate ? `, ${count(Math.round(rate))} rows a second` : '';
  return total ? `${count(processed)} of ${count(total)} rows${speed}` : '';
}

const percent = (part: number, whole: number) => Math.floor((part / whole) * 100);

function Counts({ status, format }: { status: ImportStatus; format: Format }) {
  if (status.counts.length === 0) return null;
  return (
    <dl className="area-facts">
      {status.counts.map(({ label, count }) => (
        <div key={label} className="area-facts__fact">
          <dt>{label}</dt>
          <dd>{format.count(count)}</dd>
        </div>
      ))}
      {status.unusedColumns.length > 0 && (
        <div className="area-facts__fact">
          <dt>Columns not used</dt>
          <dd>{status.unusedColumns.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

const WAITS_MS = [1000, 2000, 4000];

const isRunning = ({ state }: ImportStatus) => state === 'queued' || state === 'running';

/** The status, asked for again after 1, 2 and then every 4 seconds until it has ended. A call that fails is repeated. */
function useImportStatus(initial: ImportStatus): [ImportStatus, (status: ImportStatus) => void] {
  const [status, setStatus] = useState(initial);
  const [polls, setPolls] = useState(0);
  const isUnfinished = isRunning(status);
  useEffect(() => {
    if (!isUnfinished) return;
    const wait = WAITS_MS[Math.min(polls, WAITS_MS.length - 1)];
    const timer = setTimeout(async () => {
      const next = await readImport(status.id).catch(() => null);
      if (next) setStatus(next);
      setPolls((count) => count + 1);
    }, wait);
    return () => clearTimeout(timer);
  }, [isUnfinished, polls, status.id]);
  return [status, setStatus];
}

type FindingsTableProps = { status: ImportStatus; format: Format };

/** What was found about single rows, with their lines in the file. */
function FindingsTable({ status: { findings, moreFindings }, format }: FindingsTableProps) {
  const tableFormat = tableFormatOf(useSite());
  if (findings.length === 0) return null;
  const table: TableAlone = {
    id: 'findings',
    title: 'Rows to look at',
    columns: [
      { key: 'line', label: 'Line', kind: 'count' },
      { key: 'about', label: 'What', kind: 'text' },
      { key: 'text', label: 'Why', kind: 'text' },
    ],
    rows: findings.map(({ line, about, text }) => [
      { kind: 'count', value: line },
      { kind: 'text', text: about },
      { kind: 'text', text },
    ]),
    empty: '',
  };
  return (
    <>
      <ShortTable table={table} format={tableFormat} />
      {moreFindings > 0 && <p className="muted">{`And ${format.count(moreFindings)} more.`}</p>}
    </>
  );
}
