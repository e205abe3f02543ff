import type { RefObject } from 'react';
import type { TableProps } from '../../contracts/schema';
import { Icon } from '../Icon';
import { useZone } from '../StaffTime';
import { type CardLayout, cardLayout } from './cardLayout';
import { RowCells } from './RowCells';
import { cellClass, type TableFormat } from './TableCell';
import { ROLES } from './tableRoles';
import type { Selection } from './useSelection';

type RowsProps = {
  box: RefObject<HTMLElement | null>;
  table: TableProps;
  format: TableFormat;
  isLoading: boolean;
  selection?: Selection;
};

/** The rows in a box that scrolls sideways. */
export function TableRows({
  box,
  table: { caption, columns, rows },
  format,
  isLoading,
  selection,
}: RowsProps) {
  const placed = columns.map((column, place) => ({ ...column, place }));
  const layout = cardLayout(columns);
  return (
    <section
      ref={box}
      className="table__scroll"
      aria-label={`Rows of ${caption}`}
      aria-busy={isLoading}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table {...ROLES.table} className="table__table">
        <caption className="sr-only">{caption}</caption>
        <TableHead
          columns={columns}
          {...(selection && {
            selection: { isPageSelected: selection.isPage, onPage: selection.togglePage },
          })}
        />
        <tbody {...ROLES.body}>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              columns={placed}
              layout={layout}
              format={format}
              {...(selection && { selection })}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = Pick<RowsProps, 'format' | 'selection'> & {
  row: TableProps['rows'][number];
  columns: (TableProps['columns'][number] & { place: number })[];
  layout: CardLayout;
};

function Row({ row: { id, cells }, columns, layout, format, selection }: RowProps) {
  const isSelected = selection?.has(id) ?? false;
  return (
    <tr {...ROLES.row} className={isSelected ? 'table__row table__row--selected' : 'table__row'}>
      {selection && (
        <td {...ROLES.cell} className="table__check">
          <label className="table__box">
            <input type="checkbox" checked={isSelected} onChange={() => selection.toggle(id)} />
            <span className="sr-only">{`Select ${nameOf(cells[0])}`}</span>
          </label>
        </td>
      )}
      <RowCells columns={columns} cells={cells} layout={layout} format={format} />
    </tr>
  );
}

function nameOf(cell: TableProps['rows'][number]['cells'][number] | undefined): string {
  return cell && 'text' in cell ? cell.text : 'this row';
}

type TableHeadProps = {
  columns: TableProps['columns'];
  selection?: { isPageSelected: boolean; onPage: () => void };
};

function TableHead({ columns, selection }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {selection && (
          <th scope="col" className="table__check">
            <label className="table__box">
              <input type="checkbox" checked={selection.isPageSelected} onChange={selection.onPage} />
              <span className="sr-only">Select all rows of this page</span>
            </label>
          </th>
        )}
        {columns.map(({ key, label, kind, sort }) => (
          <th key={key} scope="col" className={cellClass(kind)} aria-sort={sort?.direction ?? undefined}>
            {sort ? (
              <a className="table__sort" href={sort.href}>
                {label}
                {kind === 'time' && <ZoneName />}
                <Icon name="chevron" />
              </a>
            ) : (
              <>
                {label}
                {kind === 'time' && <ZoneName />}
              </>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function ZoneName() {
  return <span className="table__zone">{` ${useZone().name}`}</span>;
}
