import type { TableProps } from '../../contracts/schema';
import { Icon } from '../Icon';
import { cellClass } from './TableCell';

type TableHeadProps = {
  columns: TableProps['columns'];
  selection?: { isPageSelected: boolean; onPage: () => void };
};

export function TableHead({ columns, selection }: TableHeadProps) {
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
                {kind === 'time' && <Zone />}
                <Icon name="chevron" />
              </a>
            ) : (
              <>
                {label}
                {kind === 'time' && <Zone />}
              </>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Zone() {
  return <span className="table__zone"> UTC</span>;
}
