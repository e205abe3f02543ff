import { useId, useState } from 'react';
import type { Step, StepInput, StepOption, Transaction, Values } from '../../api/identity';
import { CheckboxField } from '../../forms/CheckboxField';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { FormError } from '../../forms/call/FormError';
import { type CallForm, useCallForm } from '../../forms/call/useCallForm';
import { FieldError, FieldShell, fieldProps } from '../../forms/FieldShell';
import { OneTimeCodeField } from '../../forms/OneTimeCodeField';
import { PasswordField } from '../../forms/PasswordField';
import { PasswordOwner } from '../../forms/PasswordOwner';
import { type PasswordRule, rulesOf } from '../../forms/passwordRules';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import { type Failure, flowCall } from '../flow/flowStore';
import { activeInputs, type Chosen, firstChosen, inputErrors, isOnlyField, valuesOf } from '../flow/inputs';
import { KIND_ICONS } from './authenticatorKinds';
import { usePasskeyProblem } from './usePasskeyProblem';

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

type StepFieldsProps = {
  /** Prefix of the fields' ids. */
  prefix: string;
  inputs: readonly StepInput[];
  errors: FieldErrors;
  chosen: Chosen;
  /** Values typed before, to prefill plain fields. */
  drafts: Record<string, string>;
  rules: PasswordRule[];
  onChoose: (name: string, value: string) => void;
};

/** The fields of a step, one for each input that a person fills. */
function StepFields(props: StepFieldsProps) {
  return props.inputs.map((input) => <StepField key={input.name} {...props} input={input} />);
}

function StepField({ input, ...props }: StepFieldsProps & { input: StepInput }) {
  const { prefix, errors, drafts, rules } = props;
  const { name, label, required, maxLength } = input;
  const id = `${prefix}-${name}`;
  const error = errors[name];
  const shared = { id, name, label, error };
  const max = maxLength ?? undefined;
  switch (input.type) {
    case 'hidden':
      return null;
    case 'choice':
      return <ChoiceField {...props} input={input} id={id} />;
    case 'boolean':
      return <CheckboxField {...shared} isChecked={input.value === true} />;
    case 'code':
      return <OneTimeCodeField {...shared} maxLength={max} isAlone={isOnlyField(props.inputs, input)} />;
    case 'password': {
      const autoComplete = input.autocomplete ?? 'current-password';
      const isNew = autoComplete.includes('new-password');
      return (
        <PasswordField
          {...shared}
          required={required}
          maxLength={max}
          autoComplete={autoComplete}
          rules={isNew ? rules : []}
        />
      );
    }
    default:
      return (
        <TextField
          {...shared}
          type={input.type}
          required={required}
          maxLength={max}
          autoComplete={input.autocomplete ?? undefined}
          autoCapitalize={isName(input) ? 'words' : 'none'}
          spellCheck={false}
          hint={input.type === 'tel' ? 'With the country code, as in +1 555 0100.' : undefined}
          defaultValue={typeof input.value === 'string' && input.value ? input.value : drafts[name]}
        />
      );
  }
}

const isName = ({ autocomplete }: StepInput) =>
  /(?:given|family|additional)-name|^name$/.test(autocomplete ?? '');

type ChoiceFieldProps = {
  id: string;
  input: StepInput;
  errors: FieldErrors;
  chosen: Chosen;
  onChoose: (name: string, value: string) => void;
};

// More options than these are easier to find in a select.
const MAX_RADIOS = 4;

/** One of several options. The form renders the inputs of the chosen option below. */
function ChoiceField(props: ChoiceFieldProps) {
  const options = props.input.options ?? [];
  const hasKinds = options.some(({ kind }) => kind !== null);
  return options.length > MAX_RADIOS && !hasKinds ? <Select {...props} /> : <Radios {...props} />;
}

function Select({ id, input, errors, chosen, onChoose }: ChoiceFieldProps) {
  const error = errors[input.name];
  return (
    <FieldShell id={id} label={legendOf(input)} error={error}>
      <select
        {...fieldProps(id, error)}
        className="field__input"
        name={input.name}
        value={chosen[input.name] ?? ''}
        onChange={(event) => onChoose(input.name, event.currentTarget.value)}
      >
        <option value="" disabled>
          Choose…
        </option>
        {input.options?.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldShell>
  );
}

function Radios({ id, input, errors, chosen, onChoose }: ChoiceFieldProps) {
  const error = errors[input.name];
  return (
    <fieldset className={error ? 'choice field--wrong' : 'choice'} aria-describedby={error && `${id}-error`}>
      <legend className="field__label">{legendOf(input)}</legend>
      <div className="choice__options">
        {input.options?.map((option) => (
          <Radio
            key={option.value}
            name={input.name}
            option={option}
            isChosen={chosen[input.name] === option.value}
            isWrong={error !== undefined}
            onChoose={() => onChoose(input.name, option.value)}
          />
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

/** Without a label the provider sends the technical name, which is not shown. */
const legendOf = ({ label, name }: StepInput) => (label === '' || label === name ? 'Choose one' : label);

type RadioProps = {
  name: string;
  option: StepOption;
  isChosen: boolean;
  isWrong: boolean;
  onChoose: () => void;
};

function Radio({ name, option, isChosen, isWrong, onChoose }: RadioProps) {
  const problem = usePasskeyProblem(option.kind === 'webauthn');
  return (
    <label className={problem ? 'option option--off' : 'option'}>
      <input
        type="radio"
        className="option__radio"
        name={name}
        value={option.value}
        checked={isChosen}
        disabled={problem !== null}
        aria-invalid={isWrong ? true : undefined}
        onChange={onChoose}
      />
      {option.kind && <Icon name={KIND_ICONS[option.kind]} />}
      <span className="option__words">
        <span className="option__label">{option.label}</span>
        {problem && <span className="option__note hint">{problem}</span>}
      </span>
    </label>
  );
}
