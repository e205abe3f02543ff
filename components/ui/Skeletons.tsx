/** Placeholders of one form while data loads. */
export function Skeletons({ count, className }: { count: number; className: string }) {
  return [...Array(count).keys()].map((place) => <div key={place} className={`skeleton ${className}`} />);
}
