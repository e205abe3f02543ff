type LoadFailedProps = { onRetry: () => void };

/** Shown in place of a page whose data did not come; what was on the page before is one step back. */
export function LoadFailed({ onRetry }: LoadFailedProps) {
  return (
    <div className="load-failed" role="alert">
      <h1>This page did not load</h1>
      <p>The connection was lost or the site took too long. Check your connection, then try again.</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
