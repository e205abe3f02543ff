import type { ReactNode } from 'react';
import type { EntryEditProps, ListPageProps } from '../../contracts/schema';
import { AreaHead } from '../AreaHead';
import { ActionForm } from '../actions/ActionForm';
import { ListView } from '../ListView';
import { EntryImage } from './EntryImage';
import type { EntryKind } from './entryKinds';

type OfKind = { kind: EntryKind };

/** All categories or instructors. */
export function EntryListPage({ kind: { list, noun }, ...props }: OfKind & ListPageProps) {
  return (
    <ListView
      {...props}
      actions={
        <a className="button" href={`/admin/${list}/new`}>
          {`New ${noun}`}
        </a>
      }
    />
  );
}

/** One category or instructor. */
export function EntryPage({ kind, ...entry }: OfKind & EntryEditProps) {
  const { entryId, heading, backHref, slug, shopHref, form } = entry;
  return (
    <EntryFrame kind={kind} title={heading} backHref={backHref} hint={`Short name: ${slug}`}>
      {shopHref && (
        <p>
          <a href={shopHref}>See it in the shop</a>
        </p>
      )}
      <ActionForm key={entryId} action={form} />
      <EntryImage key={`image-${entryId}`} kind={kind} entry={entry} />
    </EntryFrame>
  );
}

type EntryFrameProps = OfKind & { title: string; backHref: string; hint: string; children: ReactNode };

function EntryFrame({ kind: { list }, title, backHref, hint, children }: EntryFrameProps) {
  return (
    <div className="area-page">
      <AreaHead heading={title} backHref={backHref} backText={`All ${list}`}>
        <p className="hint">{hint}</p>
      </AreaHead>
      {children}
    </div>
  );
}
