type LoadingViewProps = {
  /** The heading of the page until the page itself is shown. */
  title?: string;
};

/** Shown in a client-rendered page until the authentication check is done (specification §2). */
export function LoadingView({ title }: LoadingViewProps) {
  return (
    <div className="loading-view" role="status">
      {title && <h1 className="sr-only">{title}</h1>}
      <span className="loading-view__ring ring" />
      <p className="loading-view__text">Loading your page…</p>
    </div>
  );
}
