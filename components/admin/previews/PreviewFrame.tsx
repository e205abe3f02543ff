import type { ReactNode } from 'react';
import { Notice } from '../../ui/Notice';

type PreviewFrameProps = {
  kind: 'course' | 'item';
  backHref: string;
  note: string;
  children: ReactNode;
};

/** Around the page of a course or item as the shop would show it. */
export function PreviewFrame({ kind, backHref, note, children }: PreviewFrameProps) {
  return (
    <div className="area-page">
      <a className="area-page__back" href={backHref}>
        Back to the {kind}
      </a>
      <Notice title="This is a preview">
        <p>{note}</p>
        <p>Nothing can be bought here.</p>
      </Notice>
      {children}
    </div>
  );
}
