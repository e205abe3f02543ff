import { useSite } from '../../api/site';
import type { Conflict } from '../../contracts/schema';
import { dateTime } from '../../format/dateTime';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { CallError } from './SignInAgain';
import type { CallForm } from './useCallForm';

/** The messages of a form, above its fields: error, conflict, restored draft, and the question before leaving. */
export function FormStatus({ form }: { form: CallForm }) {
  const { call, differences, draft, question } = form;
  return (
    <div className="form-status">
      {call.conflict && differences ? (
        <ConflictNotice conflict={call.conflict} form={form} />
      ) : (
        <CallError call={{ ...call, text: form.text }} />
      )}
      <div role="status">{draft.isRestored && <RestoredDraft onDiscard={draft.discard} />}</div>
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

type ConflictNoticeProps = { conflict: Conflict; form: CallForm };

/** Somebody else has saved a newer version: what differs, and whose is to stay. */
function ConflictNotice({ conflict: { changedBy, changedAt }, form }: ConflictNoticeProps) {
  const { forms } = useSite();
  return (
    <div className="conflict" role="alert" tabIndex={-1}>
      <Notice kind="warning" title="Somebody else has changed this">
        <p>{`${changedBy} saved it on ${dateTime(changedAt, forms)}. Yours is not saved yet.`}</p>
        <dl className="conflict__fields">
          {form.differences?.map(({ name, label, mine, theirs }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{`Theirs: ${theirs || 'empty'}`}</dd>
              <dd>{`Yours: ${mine || 'empty'}`}</dd>
            </div>
          ))}
        </dl>
        <p className="conflict__choices row">
          <Button variant="quiet" onClick={form.takeTheirs}>
            Use theirs
          </Button>
          <Button variant="quiet" isBusy={form.isBusy} busyText="Saving…" onClick={form.keepMine}>
            Keep mine
          </Button>
        </p>
      </Notice>
    </div>
  );
}

function RestoredDraft({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className="form-news">
      <span>What you typed here before is in the fields again.</span>
      <Button variant="text" onClick={onDiscard}>
        Discard it
      </Button>
    </p>
  );
}
