/** A thin bar at the top while the next page's data is on its way. CSS waits a moment before it shows. */
export function ProgressBar({ active }: { active: boolean }) {
  if (!active) return null;
  return (
    <div className="progress progress--active" role="progressbar" aria-label="Loading page">
      <div className="progress__bar" />
    </div>
  );
}
