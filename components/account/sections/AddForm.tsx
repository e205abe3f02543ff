import type { ReactNode } from 'react';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { CallError } from '../../forms/call/SignInAgain';
import type { Call } from '../../forms/call/useCall';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

type AddFormProps = {
  name: string;
  label: string;
  type: 'email' | 'tel';
  hint?: string;
  task: Call;
  /** What is wrong with the value; "" when it may be right. */
  check: (value: string) => string;
  onAdd: (value: string, data: FormData) => Promise<unknown>;
  onCancel: () => void;
  children?: ReactNode;
};

type Typed = { value: string; data: FormData };

/** Adds an address or a number. */
export function AddForm({ name, label, type, hint, task, check, onAdd, onCancel, children }: AddFormProps) {
  const form = useCallForm(({ value, data }: Typed) => onAdd(value, data), {
    call: task,
    read: (data) => ({ value: textOf(data, name), data }),
    check: ({ value }) => errorsOf({ [name]: check(value) }),
  });

  return (
    <form className="account-form stack account-form--inset" {...form.formProps}>
      <CallError call={{ ...task, text: form.text }} />
      <TextField
        id={`add-${name}`}
        name={name}
        label={label}
        type={type}
        hint={hint}
        autoComplete={type}
        required
        error={form.errors[name]}
      />
      {children}
      <div className="account-actions row">
        <Button isBusy={task.isBusy} busyText="Sending a code…">
          Send a code
        </Button>
        <Button variant="text-quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
