import { type ReactNode, Suspense, use } from 'react';

type DeferredProps<T> = {
  value: T | Promise<T | null> | null;
  fallback: ReactNode;
  children: (value: T) => ReactNode;
};

/** A part of the page that may arrive later in the same response; null: it is not available. */
export function Deferred<T>({ value, fallback, children }: DeferredProps<T>) {
  return (
    <Suspense fallback={fallback}>
      <Resolved value={value}>{children}</Resolved>
    </Suspense>
  );
}

function Resolved<T>({ value, children }: Omit<DeferredProps<T>, 'fallback'>) {
  const resolved = value instanceof Promise ? use(value) : value;
  if (resolved === null)
    return <p className="notice">This part could not be loaded. Reload the page to try again.</p>;
  return children(resolved);
}
