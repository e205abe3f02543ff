import { type RefObject, useEffect, useRef } from 'react';
import { Icon } from './Icon';

/** What is wrong with a form as a whole: announced at once, in a place that is always there. */
export function FormProblem({ text }: { text: string }) {
  return (
    <div role="alert">
      {text && (
        <p className="form-problem" tabIndex={-1}>
          <Icon name="warning" />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}

/** For a form: after each try the focus goes to the first wrong field, else to what is wrong with the whole. */
export function useFirstError(tries: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong ?? form.current?.querySelector<HTMLElement>('.form-problem'))?.focus();
  }, [tries]);
  return form;
}
