import type { ShopProps } from '../contracts/schema';
import type { Format } from '../format/format';
import { Icon } from './Icon';

type PaginationProps = { pagination: ShopProps['pagination']; format: Format };
type Entry = ShopProps['pagination']['entries'][number];

export function Pagination({ pagination: { previous, next, entries, nofollow }, format }: PaginationProps) {
  if (entries.length < 2) return null;
  return (
    <nav className="pagination row" aria-label="Pages">
      {previous && (
        <a className="pagination__step pagination__step--back" href={previous} rel={relOf('prev', nofollow)}>
          <Icon name="arrow" />
          Previous
        </a>
      )}
      <ol className="pagination__entries row">
        {entries.map((entry, index) => (
          <li key={entry.number ?? `gap-${entries[index - 1]?.number}`}>
            {entryOf(entry, format, nofollow)}
          </li>
        ))}
      </ol>
      {next && (
        <a className="pagination__step" href={next} rel={relOf('next', nofollow)}>
          Next
          <Icon name="arrow" />
        </a>
      )}
    </nav>
  );
}

function relOf(place: string, nofollow?: boolean): string {
  return nofollow ? `${place} nofollow` : place;
}

function entryOf({ number, href }: Entry, format: Format, nofollow?: boolean) {
  if (number === null) return <span className="pagination__gap">…</span>;
  const inside = (
    <>
      <span className="sr-only">Page </span>
      {format.count(number)}
    </>
  );
  if (href === null) {
    return (
      <span className="pagination__entry pagination__entry--current" aria-current="page">
        {inside}
      </span>
    );
  }
  return (
    <a className="pagination__entry" href={href} rel={nofollow ? 'nofollow' : undefined}>
      {inside}
    </a>
  );
}
