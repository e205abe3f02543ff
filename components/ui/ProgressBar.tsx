/** A thin bar at the top while the next page's data is on its way. CSS waits a moment before it shows. */
export function ProgressBar({ active }: { active: boolean }) {
  return (
    <div
      className={active ? 'progress progress--active' : 'progress'}
      role="progressbar"
      aria-label="Loading page"
      hidden={!active}
    >
      <div className="progress__bar" />
    </div>
  );
}
