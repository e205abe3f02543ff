type LoadErrorProps = { onRetry: () => void };

/** Shown instead of a page whose data failed to load; the previous page is one step back. */
export function LoadError({ onRetry }: LoadErrorProps) {
  return (
    <div className="load-error" role="alert">
      <h1>This page did not load</h1>
      <p>The connection was lost or the site took too long. Check your connection, then try again.</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
