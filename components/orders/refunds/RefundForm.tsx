import { useState } from 'react';
import refundStyles from '../../../static/css/refund-form.css?text';
import { requestRefund } from '../../api/orders/refunds';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import { leadsTo } from '../../browser/navigation';
import type { RefundForm as RefundFormData, RefundOutcome } from '../../contracts/schema';
import { type Format, formatOf } from '../../format/format';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormStatus } from '../../forms/call/FormStatus';
import { textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { useStyles } from '../../ui/useStyles';
import { RefundLines } from './RefundLines';
import { type ChosenUnits, type Confirmation, previewRefund } from './refundAmounts';

const MAX_NOTE_LENGTH = 1000;
const CONFIRMATIONS: Record<Confirmation, string> = {
  deleted: 'I have deleted all my copies of the digital book.',
  returned: 'I return the goods complete and in good condition.',
};

type RefundFormProps = { code: string; form: RefundFormData };

/** Asks for a refund: what and how much of it, with the amount before it is sent. */
export function RefundForm({ code, form }: RefundFormProps) {
  useStyles(refundStyles);
  const [outcome, setOutcome] = useState<RefundOutcome | null>(null);
  const [isOpen] = useState(() => leadsTo('refunds'));
  // Once something was requested, there is less to choose.
  const choices = form.lines.map(({ quantity }) => quantity).join();
  const isPossible = form.lines.some(({ quantity }) => quantity > 0);
  // The form goes when all was requested.
  const news = useRestoredFocus<HTMLDivElement>(isPossible ? 1 : 0);
  return (
    <section className="refund panel" id="refunds" aria-labelledby="refunds-title">
      {/* Nobody has to look past it right after an order. */}
      <details open={isOpen || !isPossible}>
        <summary className="refund__summary">
          <h2 className="heading-m" id="refunds-title">
            Refunds
          </h2>
        </summary>
        <div className="refund__body">
          <div className="refund__news" role="status" tabIndex={-1} ref={news}>
            {outcome && (
              <Notice
                title={outcome.status === 'approved' ? 'Your refund is approved' : 'We have your request'}
              >
                <p>{outcome.message}</p>
              </Notice>
            )}
          </div>
          <RefundQuestions key={choices} code={code} form={form} onDone={setOutcome} />
        </div>
      </details>
    </section>
  );
}

type RefundQuestionsProps = RefundFormProps & { onDone: (outcome: RefundOutcome) => void };

function RefundQuestions({ code, form, onDone }: RefundQuestionsProps) {
  const format = formatOf(useSite());
  const refresh = useRefresh();
  const [chosen, setChosen] = useState<ChosenUnits>({});
  const preview = previewRefund(form, chosen);
  const callForm = useCallForm(
    (values: { confirm: Confirmation[]; note: string }) =>
      requestRefund(code, { key: form.key, lines: linesOf(chosen), ...values }),
    {
      read: (data) => ({
        confirm: preview.confirmations.filter((name) => data.get(`confirm.${name}`) !== null),
        note: textOf(data, 'note'),
      }),
      check: (values): Record<string, string> => {
        if (linesOf(chosen).length === 0) return { form: 'Choose what you want to return.' };
        const missing = preview.confirmations.filter((name) => !values.confirm.includes(name));
        return Object.fromEntries(missing.map((name) => [`confirm.${name}`, 'Confirm this to go on.']));
      },
      onSuccess: (result) => {
        onDone(result);
        void refresh();
      },
    },
  );
  const isPossible = form.lines.some(({ quantity }) => quantity > 0);
  if (!isPossible)
    return <RefundLines lines={form.lines} chosen={chosen} format={format} onChoose={setChosen} />;
  return (
    <form className="refund__form" {...callForm.formProps}>
      <p>
        Choose what you want to return. The <a href="/refund-grievance-policy">refund policy</a> says what can
        be refunded, and until when.
      </p>
      <FormStatus form={callForm} />
      <RefundLines
        lines={form.lines}
        chosen={chosen}
        format={format}
        errors={callForm.errors}
        onChoose={setChosen}
      />
      {preview.confirmations.map((name) => (
        <CheckboxField
          key={name}
          id={`refund-${name}`}
          name={`confirm.${name}`}
          label={CONFIRMATIONS[name]}
          error={callForm.errors[`confirm.${name}`]}
        />
      ))}
      <TextField
        id="refund-note"
        name="note"
        label="Anything we should know?"
        hint="You do not have to give a reason."
        rows={3}
        maxLength={MAX_NOTE_LENGTH}
        autoComplete="off"
        error={callForm.errors.note}
      />
      <RefundSum preview={preview} format={format} isChosen={linesOf(chosen).length > 0} />
      <div>
        <Button isBusy={callForm.isBusy} busyText="Please wait…">
          Request a refund
        </Button>
      </div>
    </form>
  );
}

type RefundSumProps = { preview: ReturnType<typeof previewRefund>; format: Format; isChosen: boolean };

/** What goes back, and what happens next. */
function RefundSum({ preview, format, isChosen }: RefundSumProps) {
  return (
    <div className="refund__sum" aria-live="polite">
      {isChosen && (
        <>
          <p className="refund__amount">
            You get back <strong>{format.money(preview.amount)}</strong>
            {preview.delivery > 0 && (
              <span className="hint">{` including ${format.money(preview.delivery)} for delivery`}</span>
            )}
          </p>
          <p className="hint">{nextStep(preview)}</p>
        </>
      )}
    </div>
  );
}

function nextStep({ isDecided, isReturned }: RefundSumProps['preview']): string {
  if (isReturned) return 'We answer within two working days, with the address for the return.';
  if (isDecided)
    return 'A person looks at your request and answers within two working days. Access to what you return ends when it is approved.';
  return 'It is approved at once: access to what you return ends, and the money goes back the way it came.';
}

const linesOf = (chosen: ChosenUnits) =>
  Object.entries(chosen)
    .filter(([, quantity]) => quantity > 0)
    .map(([number, quantity]) => ({ number: Number(number), quantity }));
