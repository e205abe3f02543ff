import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** An error by the name of its field. */
export type FieldErrors = Record<string, string>;

type CallFormOptions<V> = {
  /** The state of the call that the form makes. `attempts`: how often it failed other than by this form's submission. */
  call: { isBusy: boolean; errors?: FieldErrors; attempts?: number };
  read: (data: FormData) => V;
  /** Errors that need no call; with one, `send` is not run. */
  check: (values: V) => FieldErrors;
  send: (values: V) => Promise<unknown>;
};

/**
 * Submission of a form that makes a call: one at a time, checked first. `formProps` belong on the form; `errors` are
 * those of the call and the check. After each submission the first wrong field gets the focus.
 */
export function useCallForm<V>({ call, read, check, send }: CallFormOptions<V>) {
  const [ownErrors, setOwnErrors] = useState<FieldErrors>({});
  const [submissions, setSubmissions] = useState(0);
  const ref = useFirstError(submissions, call.attempts ?? 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (call.isBusy) return;
    const values = read(new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter));
    const errors = check(values);
    setOwnErrors(errors);
    if (Object.keys(errors).length === 0) await send(values);
    setSubmissions((count) => count + 1);
  }

  return {
    errors: { ...call.errors, ...ownErrors },
    formProps: {
      ref,
      noValidate: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
      'aria-busy': call.isBusy,
    },
  };
}

/** After each attempt the focus goes to the first wrong field, else to the error of the whole form. */
function useFirstError(submissions: number, attempts: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (submissions === 0 && attempts === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong ?? form.current?.querySelector<HTMLElement>('.form-error'))?.focus();
  }, [submissions, attempts]);
  return form;
}

/** The text of a field, without blanks around it. */
export function textOf(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}

/** The fields that have an error text. */
export function errorsOf(texts: Record<string, string | false>): FieldErrors {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as FieldErrors;
}
