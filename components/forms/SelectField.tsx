import { FieldShell, fieldProps } from './FieldShell';

type SelectFieldProps = {
  id: string;
  name: string;
  label: string;
  options: { value: string; label: string }[];
  /** Chosen at first; without it an empty choice comes first. */
  defaultValue?: string;
  required?: boolean;
  error?: string | undefined;
  hint?: string | undefined;
};

export function SelectField({
  id,
  name,
  label,
  options,
  defaultValue,
  required,
  error,
  hint,
}: SelectFieldProps) {
  return (
    <FieldShell id={id} label={label} required={required} hint={hint} error={error}>
      <select
        {...fieldProps(id, error, hint && `${id}-hint`)}
        name={name}
        className="field__input"
        defaultValue={defaultValue}
        required={required}
      >
        {defaultValue === undefined && <option value="">Choose…</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldShell>
  );
}
