import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { CodeField, plainCode } from '../ui/CodeField';
import { useFirstError } from '../ui/FormProblem';
import { TaskProblem } from './SignInAgain';
import type { Task } from './useTask';

type CodeFormProps = {
  /** Where the code went. */
  contact: string;
  task: Task;
  onCode: (code: string) => void;
  onResend: () => void;
  onCancel: () => void;
};

/** Asks for the code that was just sent. */
export function CodeForm({ contact, task, onCode, onResend, onCancel }: CodeFormProps) {
  const id = useId();
  const [isMissing, setIsMissing] = useState(false);
  const form = useFirstError(task.tries + Number(isMissing));
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => area.current?.querySelector('input')?.focus(), []);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = plainCode(String(new FormData(event.currentTarget).get('code') ?? ''));
    setIsMissing(!code);
    if (code) onCode(code);
  }

  const error = isMissing ? 'Enter the code.' : (task.errors.code ?? task.errors.verificationCode);
  return (
    <div ref={area}>
      <form ref={form} className="account-code" noValidate onSubmit={send} aria-busy={task.isBusy}>
        <TaskProblem task={task} />
        <CodeField id={id} name="code" label="Code" hint={`We sent it to ${contact}.`} error={error} />
        <div className="account-actions">
          <button type="submit" className="button" aria-disabled={task.isBusy}>
            {task.isBusy ? 'Checking…' : 'Confirm'}
          </button>
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
