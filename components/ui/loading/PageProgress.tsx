/** A thin bar at the top while the next page's data is on its way. CSS waits a moment before it shows. */
export function PageProgress() {
  return (
    <div className="page-progress" role="progressbar" aria-label="Loading page">
      <div className="page-progress__bar" />
    </div>
  );
}
