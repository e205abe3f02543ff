import { useEffect, useId, useRef } from 'react';
import { BusyButton } from '../../forms/BusyButton';
import { normaliseCode, OneTimeCodeField } from '../../forms/OneTimeCodeField';
import { errorsOf, textOf, useCallForm } from '../../forms/useCallForm';
import { SubmitError } from '../parts/SignInAgain';
import type { Submission } from '../parts/useSubmit';

type CodeFormProps = {
  /** The address or number that the code was sent to. */
  contact: string;
  task: Submission;
  onCode: (code: string) => Promise<unknown>;
  onResend: () => void;
  onCancel: () => void;
};

/** Takes the one-time code that was just sent. */
export function CodeForm({ contact, task, onCode, onResend, onCancel }: CodeFormProps) {
  const id = useId();
  const { errors, formProps } = useCallForm({
    call: task,
    read: (data) => normaliseCode(textOf(data, 'code')),
    check: (code) => errorsOf({ code: !code && 'Enter the code.' }),
    send: onCode,
  });
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => area.current?.querySelector('input')?.focus(), []);

  const error = errors.code ?? errors.verificationCode;
  return (
    <div ref={area}>
      <form className="account-code" {...formProps}>
        <SubmitError task={task} />
        <OneTimeCodeField id={id} name="code" label="Code" hint={`We sent it to ${contact}.`} error={error} />
        <div className="account-actions row">
          <BusyButton isBusy={task.isBusy} busy="Checking…">
            Confirm
          </BusyButton>
          <button type="button" className="text-button" aria-disabled={task.isBusy} onClick={onResend}>
            Send a new code
          </button>
          <button type="button" className="text-button text-button--quiet" onClick={onCancel}>
            Not now
          </button>
        </div>
      </form>
    </div>
  );
}
