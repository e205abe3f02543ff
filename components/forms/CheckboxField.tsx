import type { ReactNode } from 'react';
import { FieldError, fieldProps } from './FieldShell';

type CheckboxFieldProps = {
  id: string;
  name: string;
  label: string;
  isChecked?: boolean;
  error?: string | undefined;
  hint?: ReactNode;
  /** What the form sends when it is checked. */
  value?: string;
};

export function CheckboxField({
  id,
  name,
  label,
  isChecked = false,
  error,
  hint,
  value,
}: CheckboxFieldProps) {
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="check" htmlFor={id}>
        <input
          {...fieldProps(id, error, hint ? `${id}-hint` : undefined)}
          name={name}
          type="checkbox"
          value={value}
          className="check__box"
          defaultChecked={isChecked}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}
