type CodeFieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  maxLength?: number | undefined;
};

/** A one-time code: phones offer it from the message it came in. */
export function CodeField({ id, name, label, error, hint, maxLength }: CodeFieldProps) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={id}
        name={name}
        className="field__input field__input--code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        // Codes are pasted with spaces between their groups.
        maxLength={maxLength === undefined ? undefined : maxLength + 4}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {error && (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** As it is sent: without the blanks and dashes that people and mails put between groups. */
export function plainCode(text: string): string {
  return text.replace(/[\s-]/g, '');
}
