import type { ReactNode } from 'react';

type Shape = 'line' | 'title' | 'row' | 'field' | 'card' | 'distribution' | 'review';
type PlaceholderProps = { shape: Shape; count?: number };
type SkeletonProps = {
  /** For screen readers: "Loading addresses". */
  label: string;
  /** Class of the element that arrives: the placeholders are laid out like what they stand for. */
  className?: string;
  children: ReactNode;
};

/** Shown while a part loads: as large as what follows, so that nothing moves when it arrives. */
export function Skeleton({ label, className, children }: SkeletonProps) {
  return (
    <div role="status" className={className}>
      <p className="sr-only">{label}</p>
      {children}
    </div>
  );
}

/** Surfaces of one shape, in a Skeleton. */
export function Placeholder({ shape, count = 1 }: PlaceholderProps) {
  return [...Array(count).keys()].map((place) => (
    <div key={place} className={`skeleton skeleton--${shape}`} />
  ));
}
