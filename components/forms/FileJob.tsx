import type { ReactNode } from 'react';
import type { StatementStatus } from '../contracts/schema';
import { Button } from '../ui/controls/Button';
import { Progress } from '../ui/loading/Progress';
import { CallError } from './call/SignInAgain';
import { useCall } from './call/useCall';

type FileJobState = Pick<StatementStatus, 'state' | 'processed' | 'total' | 'error'>;

type FileJobProps = {
  id: string;
  heading: string;
  job: FileJobState;
  outcome: string;
  progressLabel: string;
  progressText?: string;
  onStop: () => Promise<unknown>;
  children: ReactNode;
};

export const isUnfinished = ({ state }: Pick<FileJobState, 'state'>) =>
  state === 'queued' || state === 'running';

/** How far the check of a file is, or what is done with its rows, and how it is stopped. `outcome` stands after the
 * state; what was found are the children. */
export function FileJob({
  id,
  heading,
  job,
  outcome,
  progressLabel,
  progressText,
  onStop,
  children,
}: FileJobProps) {
  const call = useCall();
  const { state, processed, total, error } = job;
  return (
    <section className="area-part" aria-labelledby={id}>
      <h2 className="heading-m" id={id}>
        {heading}
      </h2>
      <p role="status">{[STATES[state], outcome].filter(Boolean).join(' ')}</p>
      {isUnfinished(job) && (
        <>
          <Progress value={processed} max={total ?? undefined} label={progressLabel} />
          {progressText && <p className="muted">{progressText}</p>}
          <CallError call={call} />
          <div>
            <Button
              variant="quiet"
              isBusy={call.isBusy}
              busyText="Stopping…"
              onClick={() => void call.run(onStop)}
            >
              Stop
            </Button>
          </div>
        </>
      )}
      {error && <p className="upload__error">{error}</p>}
      {children}
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
