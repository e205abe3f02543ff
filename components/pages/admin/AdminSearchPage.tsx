import { useSite } from '../../api/site';
import type { AdminSearchProps } from '../../contracts/schema';
import { ShortTable } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';

/** What the field in the header found, by kind; a few of each. */
export function AdminSearchPage({ q, groups, note }: AdminSearchProps) {
  const format = tableFormatOf(useSite());
  return (
    <div className="area-page">
      <h1>{q ? `Search for “${q}”` : 'Search'}</h1>
      {note && (
        <p className="muted" role="status">
          {note}
        </p>
      )}
      {groups.map(({ table, more }) => (
        <div key={table.id} className="area-part">
          <ShortTable table={table} format={format} />
          {more && (
            <p>
              <a href={more.href}>{more.text}</a>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
