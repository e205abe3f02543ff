import { useId } from 'react';
import { FieldShell, fieldProps } from '../FieldShell';

type EditedFieldProps = {
  label: string;
  value: string;
  onText: (text: string) => void;
  hint?: string;
  error?: string | undefined;
  /** With a number of rows the field is a text area. */
  rows?: number;
  maxLength?: number;
  inputMode?: 'numeric' | 'decimal' | 'url';
  isMono?: boolean;
};

/** A text field whose text is part of a larger value. */
export function EditedField(props: EditedFieldProps) {
  const { label, value, onText, hint, error, rows, maxLength, inputMode, isMono } = props;
  const id = useId();
  const shared = {
    ...fieldProps(id, error, hint && `${id}-hint`),
    className: isMono ? 'field__input field__input--mono' : 'field__input',
    value,
    maxLength,
    inputMode,
    spellCheck: isMono ? false : undefined,
  };
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      {rows ? (
        <textarea rows={rows} {...shared} onChange={({ target }) => onText(target.value)} />
      ) : (
        <input type="text" autoComplete="off" {...shared} onChange={({ target }) => onText(target.value)} />
      )}
    </FieldShell>
  );
}

type EditedSelectProps = {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChoose: (value: string) => void;
  hint?: string;
  error?: string | undefined;
};

export function EditedSelect({ label, value, options, onChoose, hint, error }: EditedSelectProps) {
  const id = useId();
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      <select
        {...fieldProps(id, error, hint && `${id}-hint`)}
        className="field__input"
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldShell>
  );
}

type EditedCheckProps = { label: string; isChecked: boolean; onCheck: (isChecked: boolean) => void };

export function EditedCheck({ label, isChecked, onCheck }: EditedCheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        className="check__box"
        checked={isChecked}
        onChange={({ target }) => onCheck(target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** The whole number in a text; 0 for none. */
export const countOf = (text: string) => Number(text.replace(/\D/g, '').slice(0, 9) || 0);
