import { requestIdOf } from '../../api/pages';
import type { PageData } from '../../contracts/schema';

type LoadErrorProps = {
  title?: string;
  text?: string;
  /** The page whose reference in the host's log is shown. */
  page?: PageData | undefined;
  onRetry: () => void;
};

/** Shown instead of a page that failed; by default one whose data did not arrive. The previous page is one step back. */
export function LoadError({
  title = 'This page did not load',
  text = 'The connection was lost or the site took too long. Check your connection, then try again.',
  page,
  onRetry,
}: LoadErrorProps) {
  const reference = page && requestIdOf(page);
  return (
    <div className="load-error" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      {reference && <p className="load-error__reference">Reference: {reference}</p>}
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
      <a href="/">Back to Home</a>
    </div>
  );
}
