import type { ReactNode } from 'react';
import tableStyles from '../../static/css/table.css?text';
import { useSite } from '../api/site';
import type { DetailProps } from '../contracts/schema';
import { tableFormatOf } from '../ui/table/TableCell';
import { useStyles } from '../ui/useStyles';
import { FactList } from './FactList';
import { ShortTable } from './ShortTable';

type DetailViewProps = DetailProps & {
  /** What can be done with the thing. */
  actions?: ReactNode;
  /** Between the facts and the tables. */
  children?: ReactNode;
};

/** A page about one thing: facts, and short tables of what belongs to it. */
export function DetailView({
  heading,
  backHref,
  backText,
  facts,
  tables,
  actions,
  children,
}: DetailViewProps) {
  // Badges of the facts too.
  useStyles(tableStyles);
  const format = tableFormatOf(useSite());
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            {backText}
          </a>
          <h1>{heading}</h1>
        </div>
        {actions}
      </header>
      {facts.some(({ cell }) => cell !== null) && <FactList facts={facts} format={format} />}
      {children}
      {tables.map((table) => (
        <ShortTable key={table.id} table={table} format={format} />
      ))}
    </div>
  );
}
