import { useState } from 'react';
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

/** Somebody else has saved a newer version: what differs, and for each field whose is to stay. */
function ConflictNotice({ conflict: { changedBy, changedAt }, form }: ConflictNoticeProps) {
  const { forms } = useSite();
  const [taken, setTaken] = useState<string[]>([]);
  const differences = form.differences ?? [];
  const take = (name: string, isTheirs: boolean) =>
    setTaken([...taken.filter((other) => other !== name), ...(isTheirs ? [name] : [])]);
  return (
    <div className="conflict" role="alert" tabIndex={-1}>
      <Notice kind="warning" title="Somebody else has changed this">
        <p>{`${changedBy} saved it on ${dateTime(changedAt, forms)}. Yours is not saved yet.`}</p>
        {differences.map(({ name, label, mine, theirs }) => (
          <fieldset key={name} className="conflict__field">
            <legend>{label}</legend>
            <ConflictChoice isOn={taken.includes(name)} onPress={() => take(name, true)}>
              {`Theirs: ${theirs || 'empty'}`}
            </ConflictChoice>
            <ConflictChoice isOn={!taken.includes(name)} onPress={() => take(name, false)}>
              {`Yours: ${mine || 'empty'}`}
            </ConflictChoice>
          </fieldset>
        ))}
        <p className="conflict__choices row">
          <Button isBusy={form.isBusy} busyText="Saving…" onClick={() => form.keepMine(taken)}>
            {taken.length > 0 ? 'Save this choice' : 'Keep mine'}
          </Button>
          <Button variant="quiet" onClick={form.takeTheirs}>
            Use theirs
          </Button>
        </p>
      </Notice>
    </div>
  );
}

type ConflictChoiceProps = { isOn: boolean; onPress: () => void; children: string };

function ConflictChoice({ isOn, onPress, children }: ConflictChoiceProps) {
  return (
    <button type="button" className="conflict__choice" aria-pressed={isOn} onClick={onPress}>
      {children}
    </button>
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
