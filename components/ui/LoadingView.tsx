/** Stands in the middle of a client-rendered page until the authentication check is done (specification §2). */
export function LoadingView() {
  return (
    <div className="loading-view" role="status">
      <span className="loading-view__ring" />
      <p className="loading-view__text">Loading your page…</p>
    </div>
  );
}
