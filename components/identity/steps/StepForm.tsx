import { useId, useState } from 'react';
import type { Step, Transaction, Values } from '../../api/identity';
import { BusyButton } from '../../forms/BusyButton';
import { FormError } from '../../forms/FormError';
import { PasswordOwner } from '../../forms/PasswordOwner';
import { rulesOf } from '../../forms/passwordRules';
import { type FieldErrors, useCallForm } from '../../forms/useCallForm';
import type { Failure } from '../flow/flowStore';
import { activeInputs, type Chosen, firstChosen, inputErrors, isVisible, valuesOf } from '../flow/inputs';
import { StepFields } from './StepFields';

export type StepFormProps = {
  transaction: Transaction;
  step: Step;
  submit: string;
  isBusy: boolean;
  failure: Failure | null;
  drafts: Record<string, string>;
  onSubmit: (values: Values) => Promise<void>;
};

/**
 * The form of a step, rendered from its inputs. Errors are shown at their fields, and the first one gets the focus.
 */
export function StepForm({ transaction, step, submit, isBusy, failure, drafts, onSubmit }: StepFormProps) {
  const prefix = useId();
  const [chosen, setChosen] = useState<Chosen>(() => firstChosen(step.inputs));
  const inputs = activeInputs(step.inputs, chosen);
  const { errors, formProps } = useCallForm({
    call: { isBusy, errors: { ...errorsOf(transaction), ...failure?.errors } },
    read: (data) => valuesOf(data, inputs, chosen),
    check: (values) => inputErrors(values, inputs),
    send: onSubmit,
  });

  return (
    <form className="identity__form stack" {...formProps}>
      <FormError text={[failure?.text, formLevelErrors(errors, step)].filter(Boolean).join(' ')} />
      {transaction.username && needsUsername(step) && <PasswordOwner name={transaction.username} />}
      <StepFields
        prefix={prefix}
        inputs={inputs}
        errors={errors}
        chosen={chosen}
        drafts={drafts}
        rules={rulesOf(step.authenticator?.data?.rules, transaction.username)}
        onChoose={(name, value) => setChosen((previous) => ({ ...previous, [name]: value }))}
      />
      <BusyButton className="button button--wide" isBusy={isBusy} busy="Please wait…">
        {submit}
      </BusyButton>
    </form>
  );
}

function errorsOf({ messages }: Transaction): FieldErrors {
  const wrongInputs = messages.filter(({ kind, field }) => kind === 'error' && field !== null);
  return Object.fromEntries(wrongInputs.map(({ field, text }) => [field ?? '', text]));
}

/** Errors of inputs that are not visible, shown above the form. */
function formLevelErrors(errors: FieldErrors, step: Step): string {
  const seen = new Set(allNames(step, isVisible));
  const invisible = Object.entries(errors).filter(([name]) => !seen.has(name));
  return invisible.map(([, text]) => text).join(' ');
}

function allNames(
  step: Pick<Step, 'inputs'>,
  isIncluded: (input: Step['inputs'][number]) => boolean,
): string[] {
  return step.inputs.flatMap((input) => [
    ...(isIncluded(input) ? [input.name] : []),
    ...(input.options ?? []).flatMap((option) => allNames(option, isIncluded)),
  ]);
}

/** Whether the form has a password but no user name: then it adds one for password managers. */
function needsUsername(step: Step): boolean {
  const hasPassword = step.inputs.some(({ type }) => type === 'password');
  const hasName = step.inputs.some(({ autocomplete }) => /username|email/.test(autocomplete ?? ''));
  return hasPassword && !hasName;
}
