import type { DetailProps } from '../contracts/schema';
import type { TableFormat } from '../ui/table/TableCell';
import { Fold } from './Fold';
import { ShortTable } from './ShortTable';

type DetailTablesProps = Pick<DetailProps, 'tables'> & { format: TableFormat };

/** Short tables; one that few look at opens under its title. */
export function DetailTables({ tables, format }: DetailTablesProps) {
  return tables.map((table) =>
    table.place === 'folded' ? (
      <Fold key={table.id} title={table.title}>
        <ShortTable table={table} format={format} isTitleHidden />
      </Fold>
    ) : (
      <ShortTable key={table.id} table={table} format={format} />
    ),
  );
}
