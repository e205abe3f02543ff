import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../ui/Field';
import { useFirstError } from '../ui/FormProblem';
import { TaskProblem } from './SignInAgain';
import type { Task } from './useTask';

type AddFormProps = {
  name: string;
  label: string;
  type: 'email' | 'tel';
  hint?: string;
  task: Task;
  /** Why what was typed cannot be right; "" when it may be. */
  check: (value: string) => string;
  onAdd: (value: string, data: FormData) => void;
  onCancel: () => void;
  children?: ReactNode;
};

/** One more address or number. */
export function AddForm({ name, label, type, hint, task, check, onAdd, onCancel, children }: AddFormProps) {
  const [problem, setProblem] = useState('');
  const [misses, setMisses] = useState(0);
  const form = useFirstError(task.tries + misses);

  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const value = String(data.get(name) ?? '').trim();
    const found = check(value);
    setProblem(found);
    if (found) setMisses(misses + 1);
    else onAdd(value, data);
  }

  return (
    <form
      ref={form}
      className="account-form account-form--inset"
      noValidate
      onSubmit={add}
      aria-busy={task.isBusy}
    >
      <TaskProblem task={task} />
      <Field
        id={`add-${name}`}
        name={name}
        label={label}
        type={type}
        hint={hint}
        autoComplete={type}
        required
        error={problem || task.errors[name]}
      />
      {children}
      <div className="account-actions">
        <button type="submit" className="button" aria-disabled={task.isBusy}>
          {task.isBusy ? 'Sending a code…' : 'Send a code'}
        </button>
        <button type="button" className="text-button text-button--quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
