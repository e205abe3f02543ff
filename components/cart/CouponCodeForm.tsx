import { useId } from 'react';
import { ApiProblem } from '../api/client';
import { errorsOf, textOf } from '../forms/call/formValues';
import { useCallForm } from '../forms/call/useCallForm';
import { plainCode } from '../forms/plainCode';
import { Button } from '../ui/controls/Button';

type CouponCodeFormProps = {
  label: string;
  /** Returns the refusal, "" on success. */
  onSubmit: (code: string) => Promise<string>;
};

const MAX_LENGTH = 64;

/** A field for a code, with the refusal below it. */
export function CouponCodeForm({ label, onSubmit }: CouponCodeFormProps) {
  const id = useId();
  const form = useCallForm(applyCode, {
    read: (data) => plainCode(textOf(data, 'code')),
    check: (code) => errorsOf({ code: !code && 'Enter a code first.' }),
    onSuccess: (_, element) => element.reset(),
  });
  const problem = form.errors.code ?? '';

  async function applyCode(code: string) {
    const refusal = await onSubmit(code);
    if (refusal) throw new ApiProblem({ status: 422, title: refusal, errors: { code: refusal } });
  }

  return (
    <form className="code-form" {...form.formProps}>
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
        <Button variant="quiet" isBusy={form.isBusy}>
          Apply
        </Button>
      </div>
      <p className="code-form__problem" id={`${id}-problem`} role="alert">
        {problem}
      </p>
    </form>
  );
}
