import type { TableRow } from '../../contracts/schema';
import { useZone, type Zone } from '../StaffTime';
import { type CardLayout, needsLabel } from './cardLayout';
import { CellContent, cellClass, type TableFormat } from './TableCell';
import { ROLES } from './tableRoles';

type RowCellsProps = {
  /** `place`: of its cells in a row. */
  columns: readonly { key: string; label: string; kind: string; place: number }[];
  cells: TableRow['cells'];
  layout: CardLayout;
  format: TableFormat;
};

/** The cells of a row; the first one names it. */
export function RowCells({ columns, cells, layout, format }: RowCellsProps) {
  const zone = useZone();
  return columns.map(({ key, label, kind, place }, index) => {
    const cell = cells[place] ?? null;
    const Cell = index === 0 ? 'th' : 'td';
    const isLabelled = index > 0 && needsLabel(cell, key, layout);
    const classes = [
      cellClass(kind, cell),
      ...(key === layout.main ? ['table__cell--main'] : []),
      ...(isLabelled ? ['table__cell--labelled'] : []),
    ];
    return (
      <Cell
        key={key}
        {...(index === 0 ? ROLES.name : ROLES.cell)}
        className={classes.join(' ')}
        data-label={labelOf(kind, label, zone)}
      >
        <CellContent cell={cell} label={label} format={format} />
      </Cell>
    );
  });
}

/** Times say in which zone they are. */
export function labelOf(kind: string, label: string, zone: Zone): string {
  return kind === 'time' ? `${label} ${zone.name}` : label;
}
