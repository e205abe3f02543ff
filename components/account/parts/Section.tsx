import type { ReactNode } from 'react';
import { FormProblem } from '../ui/FormProblem';
import { SignInAgain } from './SignInAgain';
import type { Loaded } from './useLoaded';
import type { Outcome } from './useTask';

type SectionProps = { id: string; title: string; text?: string; children: ReactNode };

/** A part of the profile with its own heading. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <section className="account-section" id={id} aria-labelledby={`${id}-title`}>
      <div className="account-section__head">
        <h2 className="account-section__title" id={`${id}-title`}>
          {title}
        </h2>
        {text && <p className="account-section__text">{text}</p>}
      </div>
      <div className="account-section__body">{children}</div>
    </section>
  );
}

type LoadedPartProps<T> = { loaded: Loaded<T>; what: string; children: (value: T) => ReactNode };

/** What was asked for, or that it is on its way, or why it did not come. */
export function LoadedPart<T>({ loaded, what, children }: LoadedPartProps<T>) {
  const { value, problem, reload } = loaded;
  if (value !== null) return children(value);
  if (problem) return <LoadProblem problem={problem} what={what} onRetry={reload} />;
  return <PartSkeleton what={what} />;
}

export function PartSkeleton({ what }: { what: string }) {
  return (
    <div role="status">
      <p className="sr-only">{`Loading ${what}`}</p>
      <div className="skeleton account-bone" />
      <div className="skeleton account-bone" />
    </div>
  );
}

type LoadProblemProps = { problem: Outcome; what: string; onRetry: () => void };

export function LoadProblem({ problem, what, onRetry }: LoadProblemProps) {
  if (problem.maxAge !== null) return <SignInAgain maxAge={problem.maxAge} />;
  return (
    <>
      <FormProblem text={`Your ${what} could not be loaded. ${problem.text}`} />
      <button type="button" className="button button--quiet" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}
