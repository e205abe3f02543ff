import type { ChangeEvent } from 'react';
import type { CheckoutFieldSchema, OptionSchema } from '../contracts/schema';
import { FieldError, FieldShell, fieldProps } from '../forms/FieldShell';

export const CHECKED = 'yes';
const MAX_LENGTH = 400;

/** The id of a field: dots of its name would have another meaning in selectors. */
export const idOf = (name: string) => name.replaceAll('.', '-');

export type FieldContext = {
  /** The texts of all fields by name. */
  values: Record<string, string>;
  errors: Record<string, string>;
  /** What may be wrong and is taken all the same. */
  warnings: Record<string, string>;
  countries: readonly OptionSchema[];
  onChange: (field: CheckoutFieldSchema, value: string) => void;
  onLeave: () => void;
};

const FOLLOWS = 'Follows from your postal code.';

const typedValue = ({ name, value }: CheckoutFieldSchema, values: FieldContext['values']) =>
  values[name] ?? value;

/** The name of the option that counts although nobody has chosen it; "" for none. */
export function followedOption(field: CheckoutFieldSchema, values: FieldContext['values']): string {
  if (!field.follows || typedValue(field, values)) return '';
  return field.options.find(({ value }) => value === field.follows)?.label ?? '';
}

type CheckoutFieldProps = { field: CheckoutFieldSchema; context: FieldContext };

/** One field of the form, by its record. */
export function CheckoutField(props: CheckoutFieldProps) {
  const { kind } = props.field;
  if (kind === 'radio') return <RadioChoice {...props} />;
  if (kind === 'checkbox') return <Checkbox {...props} />;
  return <TypedField {...props} />;
}

function TypedField({ field, context }: CheckoutFieldProps) {
  const { name, label, required, example } = field;
  const id = idOf(name);
  const error = context.errors[name];
  const hint = example ? `For example ${example}` : followedOption(field, context.values) && FOLLOWS;
  const hintId = hint && `${id}-example`;
  const warning = error ? undefined : context.warnings[name];
  const described = fieldProps(id, error, hintId, warning && `${id}-warning`);
  return (
    <FieldShell id={id} label={label} required={required} error={error}>
      <TypedInput field={field} context={context} described={described} />
      {hint && (
        <p className="checkout__example hint" id={hintId}>
          {hint}
        </p>
      )}
      {warning && (
        <p className="field__warning" id={`${id}-warning`}>
          {warning}
        </p>
      )}
    </FieldShell>
  );
}

type TypedInputProps = CheckoutFieldProps & { described: ReturnType<typeof fieldProps> };
type Changed = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>;

function TypedInput({ field, context, described }: TypedInputProps) {
  const { name, kind, required, autocomplete } = field;
  const value = typedValue(field, context.values) || field.follows;
  const shared = {
    ...described,
    name,
    required,
    autoComplete: autocomplete,
    onBlur: context.onLeave,
    onChange: ({ target }: Changed) => context.onChange(field, target.value),
  };
  if (kind === 'lines')
    return (
      <textarea
        {...shared}
        className="field__input checkout__lines"
        rows={field.lines}
        value={value}
        maxLength={MAX_LENGTH}
      />
    );
  if (kind === 'text' || kind === 'email' || kind === 'date')
    return (
      <input
        {...shared}
        className="field__input"
        type={kind}
        value={value}
        maxLength={kind === 'date' ? undefined : MAX_LENGTH}
      />
    );
  const options = kind === 'country' ? context.countries : field.options;
  const isListed = options.some((option) => option.value === value);
  return (
    <select {...shared} className="field__input" value={isListed ? value : ''}>
      {(!isListed || !required) && <option value="">Choose…</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function RadioChoice({ field, context }: CheckoutFieldProps) {
  const { name, label, options } = field;
  const id = idOf(name);
  const error = context.errors[name];
  const chosen = typedValue(field, context.values);
  return (
    <fieldset className="checkout__choice" aria-describedby={error && `${id}-error`}>
      <legend className="field__label">{label}</legend>
      <div className="choice__options choice__options--row">
        {options.map((option, index) => (
          <label className="option" key={option.value}>
            <input
              id={index === 0 ? id : `${id}-${option.value}`}
              className="option__radio"
              type="radio"
              name={name}
              value={option.value}
              checked={chosen === option.value}
              onChange={() => context.onChange(field, option.value)}
            />
            <span className="option__label">{option.label}</span>
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

function Checkbox({ field, context }: CheckoutFieldProps) {
  const { name, label } = field;
  const id = idOf(name);
  const error = context.errors[name];
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="check" htmlFor={id}>
        <input
          {...fieldProps(id, error)}
          className="check__box"
          type="checkbox"
          name={name}
          value={CHECKED}
          checked={typedValue(field, context.values) === CHECKED}
          onChange={({ target }) => context.onChange(field, target.checked ? CHECKED : '')}
        />
        <span>{label}</span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}
