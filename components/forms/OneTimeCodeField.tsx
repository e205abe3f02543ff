import { FieldShell, fieldProps } from './FieldShell';

type OneTimeCodeFieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  maxLength?: number | undefined;
};

/** A one-time code: phones offer it from the message it came in. */
export function OneTimeCodeField({ id, name, label, error, hint, maxLength }: OneTimeCodeFieldProps) {
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      <input
        {...fieldProps(id, error, hint && `${id}-hint`)}
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
      />
    </FieldShell>
  );
}

/** The code without the blanks and dashes that people and mails put between groups. */
export function normaliseCode(text: string): string {
  return text.replace(/[\s-]/g, '');
}
