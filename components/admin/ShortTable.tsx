import tableStyles from '../../static/css/table.css?text';
import type { DetailProps } from '../contracts/schema';
import { CellContent, cellClass, type TableFormat } from '../ui/table/TableCell';
import { useStyles } from '../ui/useStyles';

type ShortTableProps = { table: DetailProps['tables'][number]; format: TableFormat };

/** All rows of a short list under a heading of its own; cards where it is narrow, as long lists. */
export function ShortTable({ table: { id, title, columns, rows, empty }, format }: ShortTableProps) {
  useStyles(tableStyles);
  const labels = columns.map(({ label, kind }) => (kind === 'time' ? `${label} UTC` : label));
  return (
    <section className="area-part" id={id} aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
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
            <table className="table__table" aria-labelledby={`${id}-title`}>
              <thead>
                <tr>
                  {columns.map(({ key, kind }, place) => (
                    <th key={key} scope="col" className={cellClass(kind)}>
                      {labels[place]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((cells, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a loaded page never change
                  <tr key={row} className="table__row">
                    {columns.map(({ key, kind, label }, place) => {
                      const Cell = place === 0 ? 'th' : 'td';
                      return (
                        <Cell
                          key={key}
                          className={cellClass(kind)}
                          scope={place === 0 ? 'row' : undefined}
                          data-label={labels[place]}
                        >
                          <CellContent cell={cells[place] ?? null} label={label} format={format} />
                        </Cell>
                      );
                    })}
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
