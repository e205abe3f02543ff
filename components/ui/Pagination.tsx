import type { PageLinks } from '../contracts/schema';
import type { Format } from '../format/format';
import { Icon } from './Icon';

type PaginationProps = { pagination: PageLinks; format: Format };
type Entry = PageLinks['entries'][number];

/** Links to the pages of a list. A list that only grows has `previous` and `next` alone, and no entries. */
export function Pagination({ pagination: { previous, next, entries, nofollow }, format }: PaginationProps) {
  if (!previous && !next) return null;
  const rel = nofollow ? 'nofollow' : undefined;
  return (
    <nav className="pagination row" aria-label="Pages">
      {previous && (
        <a className="pagination__step pagination__step--back" href={previous} rel={relOf('prev', rel)}>
          <Icon name="arrow" />
          Previous
        </a>
      )}
      <ol className="pagination__entries row">
        {entries.map((entry, index) => (
          <li key={entry.number ?? -index}>{entryOf(entry, format, rel)}</li>
        ))}
      </ol>
      {next && (
        <a className="pagination__step" href={next} rel={relOf('next', rel)}>
          Next
          <Icon name="arrow" />
        </a>
      )}
    </nav>
  );
}

const relOf = (place: string, rel = '') => `${place} ${rel}`.trim();

function entryOf({ number, href }: Entry, format: Format, rel: string | undefined) {
  if (number === null) return <span className="pagination__entry">…</span>;
  // Without an address it is the current page.
  return (
    <a
      className="pagination__entry"
      href={href ?? undefined}
      rel={href === null ? undefined : rel}
      aria-current={href === null ? 'page' : undefined}
    >
      <span className="sr-only">Page </span>
      {format.count(number)}
    </a>
  );
}
