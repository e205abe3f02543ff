import type { ReactNode } from 'react';
import { useSite } from '../../api/site';
import type { PriceRow } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { CellContent, tableFormatOf } from '../../ui/table/TableCell';

type PriceTableProps = {
  id: string;
  title: string;
  empty: string;
  rows: PriceRow[];
  /** What can be done with a row. */
  action?: (row: PriceRow) => ReactNode;
};

/** Prices of one product in the order of the host. Times are in UTC. */
export function PriceTable({ id, title, empty, rows, action }: PriceTableProps) {
  const site = useSite();
  const format = formatOf(site);
  const time = (at: string | null, label: string) =>
    at && <CellContent cell={{ kind: 'time', at }} label={label} format={tableFormatOf(site)} />;
  return (
    <section className="area-part" id={id} aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <div className="table">
          <table className="table__table" aria-labelledby={`${id}-title`}>
            <thead>
              <tr>
                {['From UTC', 'List price', 'Sale price', 'Sale ends UTC', 'By', 'Reason'].map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
                {action && <th scope="col">Action</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className="table__row">
                  <th scope="row" data-label="From UTC">
                    {time(row.startsAt, 'From')}
                  </th>
                  <td data-label="List price">{format.money(row.listPrice)}</td>
                  <td data-label="Sale price">
                    {row.salePrice === null ? '–' : format.money(row.salePrice)}
                  </td>
                  <td data-label="Sale ends UTC">{time(row.endsAt, 'Sale ends') ?? '–'}</td>
                  <td data-label="By">{row.by ?? 'A command or an import'}</td>
                  <td data-label="Reason">{row.reason || '–'}</td>
                  {action && <td data-label="Action">{action(row)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
