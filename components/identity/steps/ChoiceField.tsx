import type { StepInput, StepOption } from '../../api/identity';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { FieldError, FieldShell, fieldProps } from '../../forms/FieldShell';
import { Icon } from '../../ui/Icon';
import type { Chosen } from '../flow/inputs';
import { KIND_ICONS } from './authenticatorKinds';
import { usePasskeyProblem } from './usePasskeyProblem';

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
export function ChoiceField(props: ChoiceFieldProps) {
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
