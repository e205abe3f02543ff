import type { RefObject } from 'react';
import type { TableProps } from '../../contracts/schema';
import { CellContent, cellClass, type TableFormat } from './TableCell';
import { TableHead } from './TableHead';
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
  return (
    <section
      ref={box}
      className="table__scroll"
      aria-label={`Rows of ${caption}`}
      aria-busy={isLoading}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table__table">
        <caption className="sr-only">{caption}</caption>
        <TableHead
          columns={columns}
          {...(selection && {
            selection: { isPageSelected: selection.isPage, onPage: selection.togglePage },
          })}
        />
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} columns={columns} format={format} {...(selection && { selection })} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = Pick<RowsProps, 'format' | 'selection'> & {
  row: TableProps['rows'][number];
  columns: TableProps['columns'];
};

function Row({ row: { id, cells }, columns, format, selection }: RowProps) {
  const isSelected = selection?.has(id) ?? false;
  return (
    <tr className={isSelected ? 'table__row table__row--selected' : 'table__row'}>
      {selection && (
        <td className="table__check">
          <label className="table__box">
            <input type="checkbox" checked={isSelected} onChange={() => selection.toggle(id)} />
            <span className="sr-only">{`Select ${nameOf(cells[0])}`}</span>
          </label>
        </td>
      )}
      {columns.map((column, place) => {
        const Cell = place === 0 ? 'th' : 'td';
        return (
          <Cell
            key={column.key}
            className={cellClass(column.kind)}
            scope={place === 0 ? 'row' : undefined}
            data-label={column.kind === 'time' ? `${column.label} UTC` : column.label}
          >
            <CellContent cell={cells[place] ?? null} label={column.label} format={format} />
          </Cell>
        );
      })}
    </tr>
  );
}

function nameOf(cell: TableProps['rows'][number]['cells'][number] | undefined): string {
  return cell && 'text' in cell ? cell.text : 'this row';
}
