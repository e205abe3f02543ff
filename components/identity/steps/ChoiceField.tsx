import type { StepInput, StepOption } from '../api/identity';
import { Icon } from '../ui/Icon';
import { KIND_ICONS } from './authenticatorKinds';
import type { Chosen, FieldErrors } from './inputs';
import { useKeyObstacle } from './useKeyObstacle';

type ChoiceFieldProps = {
  id: string;
  input: StepInput;
  errors: FieldErrors;
  chosen: Chosen;
  onChoose: (name: string, value: string) => void;
};

// More than these are found faster in a list that opens.
const MOST_RADIOS = 4;

/** One of several. What the chosen option asks besides is drawn below by the form. */
export function ChoiceField(props: ChoiceFieldProps) {
  const options = props.input.options ?? [];
  const hasKinds = options.some(({ kind }) => kind !== null);
  return options.length > MOST_RADIOS && !hasKinds ? <Select {...props} /> : <Radios {...props} />;
}

function Select({ id, input, errors, chosen, onChoose }: ChoiceFieldProps) {
  const error = errors[input.name];
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="field__label" htmlFor={id}>
        {legendOf(input)}
      </label>
      <select
        id={id}
        className="field__input"
        name={input.name}
        value={chosen[input.name] ?? ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
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
      <FieldError id={id} error={error} />
    </div>
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

/** What the provider has no words for comes with its technical name, which is nothing to read. */
const legendOf = ({ label, name }: StepInput) => (label === '' || label === name ? 'Choose one' : label);

type RadioProps = {
  name: string;
  option: StepOption;
  isChosen: boolean;
  isWrong: boolean;
  onChoose: () => void;
};

function Radio({ name, option, isChosen, isWrong, onChoose }: RadioProps) {
  const obstacle = useKeyObstacle(option.kind === 'webauthn');
  return (
    <label className={obstacle ? 'option option--off' : 'option'}>
      <input
        type="radio"
        className="option__radio"
        name={name}
        value={option.value}
        checked={isChosen}
        disabled={obstacle !== null}
        aria-invalid={isWrong ? true : undefined}
        onChange={onChoose}
      />
      {option.kind && <Icon name={KIND_ICONS[option.kind]} />}
      <span className="option__words">
        <span className="option__label">{option.label}</span>
        {obstacle && <span className="option__note">{obstacle}</span>}
      </span>
    </label>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? (
    <p className="field__error" id={`${id}-error`}>
      {error}
    </p>
  ) : null;
}
