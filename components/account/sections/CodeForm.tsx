import { useEffect, useId, useRef } from 'react';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { CallError } from '../../forms/call/SignInAgain';
import type { Call } from '../../forms/call/useCall';
import { useCallForm } from '../../forms/call/useCallForm';
import { normaliseCode, OneTimeCodeField } from '../../forms/OneTimeCodeField';
import { Button } from '../../ui/controls/Button';

type CodeFormProps = {
  /** The address or number that the code was sent to. */
  contact: string;
  task: Call;
  onCode: (code: string) => Promise<unknown>;
  onConfirmed: () => void;
  onResend: () => void;
  onCancel: () => void;
};

/** Takes the one-time code that was just sent. */
export function CodeForm({ contact, task, onCode, onConfirmed, onResend, onCancel }: CodeFormProps) {
  const id = useId();
  const form = useCallForm(onCode, {
    call: task,
    read: (data) => normaliseCode(textOf(data, 'code')),
    check: (code) => errorsOf({ code: !code && 'Enter the code.' }),
    onSuccess: onConfirmed,
  });
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => area.current?.querySelector('input')?.focus(), []);

  return (
    <div ref={area}>
      <form className="account-code" {...form.formProps}>
        <CallError call={{ ...task, text: form.text }} />
        <OneTimeCodeField
          isAlone
          id={id}
          name="code"
          label="Code"
          hint={`We sent it to ${contact}.`}
          error={form.errors.code}
        />
        <div className="account-actions row">
          <Button isBusy={task.isBusy} busyText="Checking…">
            Confirm
          </Button>
          <Button variant="text" isDisabled={task.isBusy} onClick={onResend}>
            Send a new code
          </Button>
          <Button variant="text-quiet" onClick={onCancel}>
            Not now
          </Button>
        </div>
      </form>
    </div>
  );
}
