import type { DetailProps } from '../contracts/schema';
import { CellContent, type TableFormat } from '../ui/table/TableCell';

type FactListProps = { facts: DetailProps['facts']; format: TableFormat };

/** What is known of a thing; a fact without a value is left out. */
export function FactList({ facts, format }: FactListProps) {
  return (
    <dl className="area-facts">
      {facts.map(
        ({ label, cell }) =>
          cell && (
            <div key={label} className="area-facts__fact">
              <dt>{cell.kind === 'time' ? `${label} (UTC)` : label}</dt>
              <dd>
                <CellContent cell={cell} label={label} format={format} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
