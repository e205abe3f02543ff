import type { StepInput } from '../../api/identity';
import { CheckboxField } from '../../forms/CheckboxField';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { OneTimeCodeField } from '../../forms/OneTimeCodeField';
import { PasswordField } from '../../forms/PasswordField';
import type { PasswordRule } from '../../forms/passwordRules';
import { TextField } from '../../forms/TextField';
import { type Chosen, isOnlyField } from '../flow/inputs';
import { ChoiceField } from './ChoiceField';

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
export function StepFields(props: StepFieldsProps) {
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
