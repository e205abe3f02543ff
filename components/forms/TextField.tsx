import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { FieldShell, fieldProps } from './FieldShell';

type TextFieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** With a number of rows the field is a text area. */
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
> & { type?: 'text' | 'email' | 'tel' | 'date' };

export function TextField({ id, label, error, hint, rows, type = 'text', ...input }: TextFieldProps) {
  const shared = { ...fieldProps(id, error, hint && `${id}-hint`), className: 'field__input', ...input };
  return (
    <FieldShell id={id} label={label} required={input.required} hint={hint} error={error}>
      {rows ? <textarea rows={rows} {...shared} /> : <input type={type} {...shared} />}
    </FieldShell>
  );
}
