import tableStyles from '../../../static/css/table.css?text';
import type { DetailProps } from '../../contracts/schema';
import { useZone } from '../StaffTime';
import { useStyles } from '../useStyles';
import { cardLayout } from './cardLayout';
import { labelOf, RowCells } from './RowCells';
import { cellClass, type TableFormat } from './TableCell';
import { ROLES } from './tableRoles';

/** A table that has no place on the page of one thing. */
export type TableAlone = Omit<DetailProps['tables'][number], 'place'>;

type ShortTableProps = {
  table: TableAlone;
  format: TableFormat;
  /** Something else shows it. */
  isTitleHidden?: boolean;
};

/**
 * All rows of a short list under a heading of its own; cards where it is narrow, as long lists. A column in which no row
 * has a value is left out.
 */
export function ShortTable({ table, format, isTitleHidden = false }: ShortTableProps) {
  useStyles(tableStyles);
  const { id, title, rows, empty } = table;
  const columns = table.columns
    .map((column, place) => ({ ...column, place }))
    .filter(({ place }) => place === 0 || rows.some((cells) => cells[place]));
  const layout = cardLayout(columns);
  const zone = useZone();
  return (
    <section className="area-part" id={id} aria-labelledby={`${id}-title`}>
      <h2 className={isTitleHidden ? 'sr-only' : 'heading-m'} id={`${id}-title`}>
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <div className="table">
          <section
            className="table__scroll"
            aria-label={`Rows of ${title}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
            tabIndex={0}
          >
            <table {...ROLES.table} className="table__table" aria-labelledby={`${id}-title`}>
              <thead>
                <tr>
                  {columns.map(({ key, kind, label }) => (
                    <th key={key} scope="col" className={cellClass(kind)}>
                      {labelOf(kind, label, zone)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody {...ROLES.body}>
                {rows.map((cells, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a loaded page never change
                  <tr key={row} {...ROLES.row} className="table__row">
                    <RowCells columns={columns} cells={cells} layout={layout} format={format} />
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </section>
  );
}
