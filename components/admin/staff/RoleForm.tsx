import { useId, useRef, useState } from 'react';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';

export type RoleOption = { value: string; label: string };
export type RoleValues = { role: string; reason: string };

type RoleFormProps = {
  /** Names the form, also for what is typed while somebody signs in again. */
  name: string;
  roles: RoleOption[];
  label: string;
  button: string;
  /** Asked before the call is made. */
  question?: (role: string) => { question: string; text: string };
  send: (values: RoleValues) => Promise<unknown>;
  onDone: (values: RoleValues) => void;
};

/** Chooses a role to give or to take, with the reason that is recorded. */
export function RoleForm({ name, roles, label, button, question, send, onDone }: RoleFormProps) {
  const id = useId();
  const confirmed = useRef(false);
  const [valuesToConfirm, setValuesToConfirm] = useState<RoleValues | null>(null);
  const form = useCallForm(send, {
    read: (data): RoleValues => ({ role: textOf(data, 'role'), reason: textOf(data, 'reason') }),
    check: ({ role, reason }) =>
      errorsOf({ role: !role && 'Choose a role.', reason: !reason && 'Say why, for the record.' }),
    draft: name,
    onSuccess: (_, element) => onDone(valuesOf(element)),
  });

  function submit(event: React.FormEvent<HTMLFormElement>) {
    const values = valuesOf(event.currentTarget);
    const isComplete = values.role !== '' && values.reason !== '';
    if (question && isComplete && !confirmed.current) {
      event.preventDefault();
      setValuesToConfirm(values);
      return;
    }
    confirmed.current = false;
    form.formProps.onSubmit(event);
  }

  function confirm() {
    confirmed.current = true;
    form.formProps.ref.current?.requestSubmit();
  }

  return (
    <form className="area-form" {...form.formProps} onSubmit={submit}>
      <FormStatus form={form} />
      <SelectField
        id={`${id}-role`}
        name="role"
        label={label}
        options={roles}
        required
        error={form.errors.role}
      />
      <TextField
        id={`${id}-reason`}
        name="reason"
        label="Reason"
        hint="It is recorded for good. Name nobody in it."
        maxLength={500}
        required
        error={form.errors.reason}
      />
      <Button variant={question ? 'danger' : 'main'} isBusy={form.isBusy} busyText="Saving…">
        {button}
      </Button>
      {valuesToConfirm && question && (
        <ConfirmDialog
          {...question(labelOf(roles, valuesToConfirm.role))}
          yes={button}
          no="Cancel"
          onYes={confirm}
          onClose={() => setValuesToConfirm(null)}
        />
      )}
    </form>
  );
}

const labelOf = (roles: RoleOption[], role: string) =>
  roles.find(({ value }) => value === role)?.label ?? role;

function valuesOf(form: HTMLFormElement): RoleValues {
  const data = new FormData(form);
  return { role: textOf(data, 'role'), reason: textOf(data, 'reason') };
}
