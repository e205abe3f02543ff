import { type FormEvent, useId, useState } from 'react';
import type { Step, Transaction, Values } from '../api/identity';
import { FormProblem, useFirstError } from '../ui/FormProblem';
import { PasswordOwner } from '../ui/PasswordOwner';
import { rulesOf } from '../ui/passwordRules';
import type { Failure } from './flowStore';
import { type Chosen, errorsIn, type FieldErrors, firstChosen, inForce, isVisible, valuesOf } from './inputs';
import { StepFields } from './StepFields';

export type StepFormProps = {
  transaction: Transaction;
  step: Step;
  submit: string;
  isBusy: boolean;
  failure: Failure | null;
  known: Record<string, string>;
  onSubmit: (values: Values) => Promise<void>;
};

/** The form of a step, drawn from its inputs. Errors stand at their fields, and the first of them gets the focus. */
export function StepForm({ transaction, step, submit, isBusy, failure, known, onSubmit }: StepFormProps) {
  const prefix = useId();
  const [chosen, setChosen] = useState<Chosen>(() => firstChosen(step.inputs));
  const [found, setFound] = useState<FieldErrors>({});
  const [tries, setTries] = useState(0);
  const form = useFirstError(tries);
  const inputs = inForce(step.inputs, chosen);
  const errors = { ...errorsOf(transaction), ...failure?.errors, ...found };

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const values = valuesOf(new FormData(event.currentTarget), inputs, chosen);
    const wrong = errorsIn(values, inputs);
    setFound(wrong);
    if (Object.keys(wrong).length === 0) await onSubmit(values);
    setTries((count) => count + 1);
  }

  return (
    <form
      ref={form}
      className="identity__form"
      noValidate
      onSubmit={(event) => void send(event)}
      aria-busy={isBusy}
    >
      <FormProblem text={[failure?.text, homeless(errors, step)].filter(Boolean).join(' ')} />
      {transaction.username && needsOwner(step) && <PasswordOwner name={transaction.username} />}
      <StepFields
        prefix={prefix}
        inputs={inputs}
        errors={errors}
        chosen={chosen}
        known={known}
        rules={rulesOf(step.authenticator?.data?.rules, transaction.username)}
        onChoose={(name, value) => setChosen((before) => ({ ...before, [name]: value }))}
      />
      <button type="submit" className="button button--wide" aria-disabled={isBusy}>
        {isBusy ? 'One moment…' : submit}
      </button>
    </form>
  );
}

function errorsOf({ messages }: Transaction): FieldErrors {
  const wrong = messages.filter(({ kind, field }) => kind === 'error' && field !== null);
  return Object.fromEntries(wrong.map(({ field, text }) => [field ?? '', text]));
}

/** Errors about inputs that nobody sees are told above the form. */
function homeless(errors: FieldErrors, step: Step): string {
  const seen = new Set(allNames(step, isVisible));
  const lost = Object.entries(errors).filter(([name]) => !seen.has(name));
  return lost.map(([, text]) => text).join(' ');
}

function allNames(step: Pick<Step, 'inputs'>, isMeant: (input: Step['inputs'][number]) => boolean): string[] {
  return step.inputs.flatMap((input) => [
    ...(isMeant(input) ? [input.name] : []),
    ...(input.options ?? []).flatMap((option) => allNames(option, isMeant)),
  ]);
}

/** Whether a password is asked for without its name: then password managers are told whose it is. */
function needsOwner(step: Step): boolean {
  const hasPassword = step.inputs.some(({ type }) => type === 'password');
  const hasName = step.inputs.some(({ autocomplete }) => /username|email/.test(autocomplete ?? ''));
  return hasPassword && !hasName;
}
