import { type ReactNode, Suspense, use } from 'react';
import { ErrorBoundary } from './ErrorBoundary';

type DeferredProps<T> = {
  value: T | Promise<T | null> | null;
  fallback: ReactNode;
  children: (value: T) => ReactNode;
};

/** A part of the page that may arrive later in the same response; null: it is not available. An exception stays in it. */
export function Deferred<T>({ value, fallback, children }: DeferredProps<T>) {
  return (
    <ErrorBoundary resetKey={value} fallback={<Unavailable />}>
      <Suspense fallback={fallback}>
        <Resolved value={value}>{children}</Resolved>
      </Suspense>
    </ErrorBoundary>
  );
}

function Resolved<T>({ value, children }: Omit<DeferredProps<T>, 'fallback'>) {
  const resolved = value instanceof Promise ? use(value) : value;
  return resolved === null ? <Unavailable /> : children(resolved);
}

function Unavailable() {
  return <p className="notice">This part could not be loaded. Reload the page to try again.</p>;
}
