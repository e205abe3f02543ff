import type { FormEvent, ReactNode } from 'react';
import { FormStatus } from '../../forms/call/FormStatus';
import type { CallForm } from '../../forms/call/useCallForm';
import { Button } from '../../ui/controls/Button';

type EditFormProps = {
  form: CallForm;
  /** Text of the button. */
  save: string;
  isWide?: boolean;
  onInput?: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
};

/** The frame of a form of `useEditForm`: what went wrong above its fields, the button below them. */
export function EditForm({ form, save, isWide = false, onInput, children }: EditFormProps) {
  const { formProps, isBusy } = form;
  return (
    <form
      className={isWide ? 'area-form area-form--wide' : 'area-form area-box'}
      {...formProps}
      onInput={onInput ?? formProps.onInput}
    >
      <FormStatus form={form} />
      {children}
      <Button isBusy={isBusy} busyText="Saving…">
        {save}
      </Button>
    </form>
  );
}
