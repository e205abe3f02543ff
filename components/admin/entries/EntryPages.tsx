import type { ReactNode } from 'react';
import type { EntryEditProps, ListPageProps, NewEntryProps } from '../../contracts/schema';
import { ListView } from '../ListView';
import { EntryForm } from './EntryForm';
import { EntryImage } from './EntryImage';
import type { EntryKind } from './entryKinds';
import { NewEntryForm } from './NewEntryForm';

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

/** A category or an instructor that begins. */
export function NewEntryPage({ kind, title, backHref }: OfKind & NewEntryProps) {
  return (
    <EntryFrame kind={kind} title={title} backHref={backHref}>
      <NewEntryForm kind={kind} backHref={backHref} />
    </EntryFrame>
  );
}

/** One category or instructor. */
export function EntryPage({ kind, ...entry }: OfKind & EntryEditProps) {
  const { entryId, heading, backHref, slug } = entry;
  return (
    <EntryFrame kind={kind} title={heading} backHref={backHref} hint={`Short name: ${slug}`}>
      <EntryForm key={entryId} kind={kind} entry={entry} />
      <EntryImage key={`image-${entryId}`} kind={kind} entry={entry} />
    </EntryFrame>
  );
}

type EntryFrameProps = OfKind & { title: string; backHref: string; hint?: string; children: ReactNode };

function EntryFrame({ kind: { list }, title, backHref, hint, children }: EntryFrameProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            {`All ${list}`}
          </a>
          <h1>{title}</h1>
          {hint && <p className="hint">{hint}</p>}
        </div>
      </header>
      {children}
    </div>
  );
}
