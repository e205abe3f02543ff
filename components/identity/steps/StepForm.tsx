import { useId, useState } from 'react';
import type { Step, StepInput, Transaction, Values } from '../../api/identity';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { FormError } from '../../forms/call/FormError';
import { type CallForm, useCallForm } from '../../forms/call/useCallForm';
import { PasswordOwner } from '../../forms/PasswordOwner';
import { rulesOf } from '../../forms/passwordRules';
import { Button } from '../../ui/controls/Button';
import { type Failure, flowCall } from '../flow/flowStore';
import { activeInputs, type Chosen, firstChosen, inputErrors, valuesOf } from '../flow/inputs';
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
  const form = useCallForm(onSubmit, {
    call: flowCall(isBusy, failure, errorsOf(transaction)),
    read: (data) => valuesOf(data, inputs, chosen),
    check: (values) => inputErrors(values, inputs),
  });

  return (
    <form className="identity__form stack" {...form.formProps}>
      <FormError text={form.text} />
      {transaction.username && needsUsername(step) && <PasswordOwner name={transaction.username} />}
      <StepFields
        prefix={prefix}
        inputs={inputs}
        errors={form.errors}
        chosen={chosen}
        drafts={drafts}
        rules={rulesOf(step.authenticator?.data?.rules, transaction.username)}
        onChoose={(name, value) => setChosen((previous) => ({ ...previous, [name]: value }))}
      />
      <Button isWide isBusy={isBusy} busyText="Please wait…">
        {submit}
      </Button>
      <span className="sr-only" role="status">
        {codeNews(inputs, form)}
      </span>
    </form>
  );
}

/** A code is sent while its field has the focus: what becomes of it is read aloud. */
function codeNews(inputs: readonly StepInput[], { isBusy, errors }: CallForm): string {
  const code = inputs.find(({ type }) => type === 'code');
  if (!code) return '';
  if (isBusy) return 'The code is being checked.';
  return errors[code.name] ? 'The code was not accepted.' : '';
}

function errorsOf({ messages }: Transaction): FieldErrors {
  const wrongInputs = messages.filter(({ kind, field }) => kind === 'error' && field !== null);
  return Object.fromEntries(wrongInputs.map(({ field, text }) => [field ?? '', text]));
}

/** Whether the form has a password but no user name: then it adds one for password managers. */
function needsUsername(step: Step): boolean {
  const hasPassword = step.inputs.some(({ type }) => type === 'password');
  const hasName = step.inputs.some(({ autocomplete }) => /username|email/.test(autocomplete ?? ''));
  return hasPassword && !hasName;
}
