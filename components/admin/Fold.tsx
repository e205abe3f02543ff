import type { ReactNode } from 'react';

type FoldProps = {
  title: string;
  /** Opens it; closing it is left to the person. */
  isOpen?: boolean;
  children: ReactNode;
};

/** What opens under its title: many forms at once would hide what is known. */
export function Fold({ title, isOpen = false, children }: FoldProps) {
  return (
    <details className="area-box area-fold" open={isOpen || undefined}>
      <summary className="area-fold__title">{title}</summary>
      {children}
    </details>
  );
}
