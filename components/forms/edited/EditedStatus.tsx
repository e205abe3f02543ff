import { useEffect, useRef } from 'react';
import { useSite } from '../../api/site';
import { dateTime } from '../../format/dateTime';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { CallError } from '../call/SignInAgain';
import type { EditedValue } from './useEditedValue';

type StatusProps<T> = {
  edited: EditedValue<T>;
  /** Errors that no field shows. */
  text?: string;
  /** What "Keep mine" does. */
  keeps: string;
};

/** The messages above what is edited: error, conflict, restored changes, and the question before leaving. */
export function EditedStatus<T>({ edited, text = '', keeps }: StatusProps<T>) {
  const { call, question, isRestored, discard } = edited;
  const status = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (call.attempts > 0) status.current?.querySelector<HTMLElement>('.form-error, .conflict')?.focus();
  }, [call.attempts]);
  return (
    <div className="form-status" ref={status}>
      {call.conflict ? (
        <Conflict edited={edited} keeps={keeps} />
      ) : (
        <CallError call={{ ...call, text: [call.text, text].filter(Boolean).join(' ') }} />
      )}
      <div role="status">
        {isRestored && (
          <p className="form-news">
            <span>What you changed here before is here again, and not saved yet.</span>
            <Button variant="text" onClick={discard}>
              Discard it
            </Button>
          </p>
        )}
      </div>
      {question.isAsking && (
        <ConfirmDialog
          question="Leave without saving?"
          text="What you changed on this page is not saved."
          yes="Leave"
          no="Stay here"
          onYes={question.leave}
          onClose={question.stay}
        />
      )}
    </div>
  );
}

function Conflict<T>({ edited, keeps }: { edited: EditedValue<T>; keeps: string }) {
  const { forms } = useSite();
  const { conflict } = edited.call;
  if (!conflict) return null;
  const { changedBy, changedAt } = conflict;
  return (
    <div className="conflict" role="alert" tabIndex={-1}>
      <Notice kind="warning" title="Somebody else has changed this">
        <p>{`${changedBy} saved it on ${dateTime(changedAt, forms)}. Yours is not saved yet, and still here.`}</p>
        <p>{keeps}</p>
        <p className="conflict__choices row">
          <Button variant="quiet" onClick={edited.takeTheirs}>
            Use theirs
          </Button>
          <Button
            variant="quiet"
            isBusy={edited.call.isBusy}
            busyText="Saving…"
            onClick={() => void edited.keepMine()}
          >
            Keep mine
          </Button>
        </p>
      </Notice>
    </div>
  );
}
