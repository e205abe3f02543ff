import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';

type FieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** Given, the field is a text area of so many rows. */
  rows?: number;
} & Pick<
  InputHTMLAttributes<HTMLInputElement> & TextareaHTMLAttributes<HTMLTextAreaElement>,
  | 'autoComplete'
  | 'autoCapitalize'
  | 'defaultValue'
  | 'inputMode'
  | 'maxLength'
  | 'minLength'
  | 'required'
  | 'spellCheck'
> & { type?: 'text' | 'email' | 'tel' };

export function Field({ id, label, error, hint, rows, type = 'text', ...input }: FieldProps) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const shared = {
    id,
    className: 'field__input',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
    ...input,
  };
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="field__label" htmlFor={id}>
        {label}
        {input.required && (
          <span className="field__mark" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {rows ? <textarea rows={rows} {...shared} /> : <input type={type} {...shared} />}
      {error && (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
