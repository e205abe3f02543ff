import type { ReactNode } from 'react';
import { BusyButton } from '../../forms/BusyButton';
import { TextField } from '../../forms/TextField';
import { errorsOf, textOf, useCallForm } from '../../forms/useCallForm';
import { SubmitError } from '../parts/SignInAgain';
import type { Submission } from '../parts/useSubmit';

type AddFormProps = {
  name: string;
  label: string;
  type: 'email' | 'tel';
  hint?: string;
  task: Submission;
  /** What is wrong with the value; "" when it may be right. */
  check: (value: string) => string;
  onAdd: (value: string, data: FormData) => Promise<unknown>;
  onCancel: () => void;
  children?: ReactNode;
};

/** Adds an address or a number. */
export function AddForm({ name, label, type, hint, task, check, onAdd, onCancel, children }: AddFormProps) {
  const { errors, formProps } = useCallForm({
    call: task,
    read: (data) => ({ value: textOf(data, name), data }),
    check: ({ value }) => errorsOf({ [name]: check(value) }),
    send: ({ value, data }) => onAdd(value, data),
  });

  return (
    <form className="account-form stack account-form--inset" {...formProps}>
      <SubmitError task={task} />
      <TextField
        id={`add-${name}`}
        name={name}
        label={label}
        type={type}
        hint={hint}
        autoComplete={type}
        required
        error={errors[name]}
      />
      {children}
      <div className="account-actions row">
        <BusyButton isBusy={task.isBusy} busy="Sending a code…">
          Send a code
        </BusyButton>
        <button type="button" className="text-button text-button--quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
