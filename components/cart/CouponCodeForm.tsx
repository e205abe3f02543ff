import { type FormEvent, useId, useState } from 'react';

type CouponCodeFormProps = {
  label: string;
  /** Returns the refusal, "" on success. */
  onSubmit: (code: string) => Promise<string>;
};

const MAX_LENGTH = 64;

/** A field for a code, with the refusal below it. */
export function CouponCodeForm({ label, onSubmit }: CouponCodeFormProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const code = String(new FormData(form).get('code') ?? '').trim();
    if (isBusy) return;
    if (!code) return setProblem('Enter a code first.');
    setIsBusy(true);
    setProblem('');
    const refusal = await onSubmit(code);
    setIsBusy(false);
    setProblem(refusal);
    if (!refusal) form.reset();
  }

  return (
    <form className="code-form" onSubmit={(event) => void submit(event)} aria-busy={isBusy}>
      <label className="code-form__label" htmlFor={id}>
        {label}
      </label>
      <div className="code-form__row">
        <input
          id={id}
          name="code"
          className="field__input"
          maxLength={MAX_LENGTH}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-problem`}
        />
        <button type="submit" className="button button--quiet" aria-disabled={isBusy}>
          {isBusy ? 'Checking…' : 'Apply'}
        </button>
      </div>
      <p className="code-form__problem" id={`${id}-problem`} role="alert">
        {problem}
      </p>
    </form>
  );
}
