import type { ReactNode } from 'react';

type FieldShellProps = {
  id: string;
  label: string;
  required?: boolean | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  children: ReactNode;
  /** Below the error. */
  below?: ReactNode;
};

/** Label, hint and error around an input, which takes `fieldProps` of the same id. */
export function FieldShell({ id, label, required, hint, error, children, below }: FieldShellProps) {
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="field__label" htmlFor={id}>
        {label}
        {required && (
          <span className="field__mark" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {hint && (
        <p className="field__hint hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldError id={id} error={error} />
      {below}
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? (
    <p className="field__error" id={`${id}-error`}>
      {error}
    </p>
  ) : null;
}

/** Id and ARIA attributes of an input. `described`: ids of further texts that describe it. */
export function fieldProps(id: string, error?: string, ...described: (string | false | undefined)[]) {
  const ids = [...described, error && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined };
}
