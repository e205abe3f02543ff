import type { TableProps } from '../../contracts/schema';
import { Icon } from '../Icon';
import { numbered } from '../numbered';
import type { TableFormat } from './TableCell';

/** What the URL asked for and the list does not know. */
export function IgnoredValues({ ignored }: Pick<TableProps, 'ignored'>) {
  if (ignored.length === 0) return null;
  const values = ignored.map(({ label, value }) => `${label} “${value}”`).join(', ');
  return (
    <p className="notice notice--warning">
      <Icon name="warning" />
      <span>{`Left out, because this list does not have it: ${values}.`}</span>
    </p>
  );
}

export function ActiveFilters({ activeFilters, clearHref }: Pick<TableProps, 'activeFilters' | 'clearHref'>) {
  if (activeFilters.length === 0) return null;
  return (
    <ul className="table__chips row" aria-label="Active filters">
      {numbered(activeFilters).map(({ key, value: { label, href } }) => (
        <li key={key}>
          <a className="chip" href={href}>
            <span className="sr-only">Remove filter </span>
            {label}
            <Icon name="close" />
          </a>
        </li>
      ))}
      <li>
        <a className="table__clear" href={clearHref}>
          Clear filters
        </a>
      </li>
    </ul>
  );
}

/** "85 rows", "10,000+ rows". */
export function totalText(
  { count, isMore }: TableProps['total'],
  format: Pick<TableFormat, 'count'>,
): string {
  return `${format.count(count)}${isMore ? '+' : ''} ${count === 1 ? 'row' : 'rows'}`;
}

/** A list that only grows is read from its newest row, so it has no numbers of pages. */
export function OlderRows({ older }: { older: NonNullable<TableProps['older']> }) {
  if (!older.newest && !older.older) return null;
  return (
    <nav className="pagination row" aria-label="Pages">
      {older.newest && (
        <a className="pagination__step pagination__step--back" href={older.newest}>
          <Icon name="arrow" />
          Newest
        </a>
      )}
      {older.older && (
        <a className="pagination__step" href={older.older}>
          Older
          <Icon name="arrow" />
        </a>
      )}
    </nav>
  );
}
