import type { StepInput } from '../api/identity';
import { CodeField } from '../ui/CodeField';
import { Field } from '../ui/Field';
import { PasswordField } from '../ui/PasswordField';
import type { PasswordRule } from '../ui/passwordRules';
import { ChoiceField } from './ChoiceField';
import type { Chosen, FieldErrors } from './inputs';

type StepFieldsProps = {
  /** Makes the ids of this form's fields. */
  prefix: string;
  inputs: readonly StepInput[];
  errors: FieldErrors;
  chosen: Chosen;
  /** What was typed before, to fill plain fields again. */
  known: Record<string, string>;
  rules: PasswordRule[];
  onChoose: (name: string, value: string) => void;
};

/** The fields of a step, one for each input that a person fills. */
export function StepFields(props: StepFieldsProps) {
  return props.inputs.map((input) => <StepField key={input.name} {...props} input={input} />);
}

function StepField({ input, ...props }: StepFieldsProps & { input: StepInput }) {
  const { prefix, errors, known, rules } = props;
  const { name, label, required, maxLength } = input;
  const id = `${prefix}-${name}`;
  const error = errors[name];
  const shared = { id, name, label, error };
  const most = maxLength ?? undefined;
  switch (input.type) {
    case 'hidden':
      return null;
    case 'choice':
      return <ChoiceField {...props} input={input} id={id} />;
    case 'boolean':
      return <CheckField {...shared} isChecked={input.value === true} />;
    case 'code':
      return <CodeField {...shared} maxLength={most} />;
    case 'password': {
      const autoComplete = input.autocomplete ?? 'current-password';
      const isNew = autoComplete.includes('new-password');
      return (
        <PasswordField
          {...shared}
          required={required}
          maxLength={most}
          autoComplete={autoComplete}
          rules={isNew ? rules : []}
        />
      );
    }
    default:
      return (
        <Field
          {...shared}
          type={input.type}
          required={required}
          maxLength={most}
          autoComplete={input.autocomplete ?? undefined}
          autoCapitalize={isName(input) ? 'words' : 'none'}
          spellCheck={false}
          hint={input.type === 'tel' ? 'With the country code, as in +1 555 0100.' : undefined}
          defaultValue={typeof input.value === 'string' && input.value ? input.value : known[name]}
        />
      );
  }
}

const isName = ({ autocomplete }: StepInput) =>
  /(?:given|family|additional)-name|^name$/.test(autocomplete ?? '');

type CheckFieldProps = {
  id: string;
  name: string;
  label: string;
  error: string | undefined;
  isChecked: boolean;
};

function CheckField({ id, name, label, error, isChecked }: CheckFieldProps) {
  return (
    <div className="field">
      <label className="check" htmlFor={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          className="check__box"
          defaultChecked={isChecked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <span>{label}</span>
      </label>
      {error && (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
