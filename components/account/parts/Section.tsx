import type { ReactNode } from 'react';
import type { CallOutcome } from '../../forms/call/callOutcome';
import { SignInAgain } from '../../forms/call/SignInAgain';
import { ErrorPanel } from '../../ui/loading/ErrorPanel';
import { Placeholder, Skeleton } from '../../ui/loading/Skeleton';
import type { FetchState } from './useFetched';

type SectionProps = { id: string; title: string; text?: string; children: ReactNode };

/** A part of the profile with its own heading. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <section className="account-section stack panel" id={id} aria-labelledby={`${id}-title`}>
      <div className="account-section__head">
        <h2 className="heading-m" id={`${id}-title`}>
          {title}
        </h2>
        {text && <p className="account-section__text">{text}</p>}
      </div>
      <div className="account-section__body stack">{children}</div>
    </section>
  );
}

type FetchedProps<T> = { loaded: FetchState<T>; label: string; children: (value: T) => ReactNode };

/** The fetched value, or a skeleton while it loads, or the error with a way to retry. */
export function Fetched<T>({ loaded, label, children }: FetchedProps<T>) {
  const { value, problem, reload } = loaded;
  if (value !== null) return children(value);
  if (problem) return <FetchError problem={problem} label={label} onRetry={reload} />;
  return <SectionSkeleton label={label} />;
}

export function SectionSkeleton({ label }: { label: string }) {
  return (
    <Skeleton label={`Loading ${label}`}>
      <Placeholder shape="row" count={2} />
    </Skeleton>
  );
}

type FetchErrorProps = { problem: CallOutcome; label: string; onRetry: () => void };

export function FetchError({ problem, label, onRetry }: FetchErrorProps) {
  if (problem.signIn) return <SignInAgain required={problem.signIn} />;
  return <ErrorPanel title={`Your ${label} could not be loaded`} text={problem.text} onRetry={onRetry} />;
}
