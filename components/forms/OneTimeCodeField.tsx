import { type FormEvent, useRef } from 'react';
import { FieldShell, fieldProps } from './FieldShell';

type OneTimeCodeFieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  maxLength?: number | undefined;
  /** The form asks for nothing else: it is sent with the last digit. */
  isAlone?: boolean | undefined;
};

// Digits of codes in mails, messages and authenticator apps, where the provider names no other length.
const DIGITS = 6;
const SENT_BY_ITSELF = 'It is sent as soon as its last digit is there.';

/** A one-time code: phones offer it from the message it came in. */
export function OneTimeCodeField({
  id,
  name,
  label,
  error,
  maxLength,
  isAlone,
  ...rest
}: OneTimeCodeFieldProps) {
  const hint = [rest.hint, isAlone && SENT_BY_ITSELF].filter(Boolean).join(' ') || undefined;
  const last = useRef('');

  /** Sends the form once the code is complete; blanks around it, or a second event, do not send it again. */
  function sendComplete({ currentTarget }: FormEvent<HTMLInputElement>) {
    const code = normaliseCode(currentTarget.value);
    if (code === last.current) return;
    last.current = code;
    if (/^\d+$/.test(code) && code.length === (maxLength ?? DIGITS)) currentTarget.form?.requestSubmit();
  }

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
        onInput={isAlone ? sendComplete : undefined}
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
