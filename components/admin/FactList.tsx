import type { DetailProps } from '../contracts/schema';
import { numbered } from '../ui/numbered';
import { useZone } from '../ui/StaffTime';
import { CellContent, type TableFormat } from '../ui/table/TableCell';

type FactListProps = { facts: DetailProps['facts']; format: TableFormat };

/** What is known of a thing; a fact without a value is left out. Two facts may have one label. */
export function FactList({ facts, format }: FactListProps) {
  const zone = useZone();
  return (
    <div className="area-facts">
      <dl className="area-facts__list">
        {numbered(facts).map(
          ({ key, value: { label, cell } }) =>
            cell && (
              <div key={key} className="area-facts__fact">
                <dt>{cell.kind === 'time' ? `${label} (${zone.name})` : label}</dt>
                <dd>
                  <CellContent cell={cell} label={label} format={format} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}
