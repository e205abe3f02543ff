import { Children, type ReactNode } from 'react';
import tableStyles from '../../static/css/table.css?text';
import { useSite } from '../api/site';
import type { DetailProps } from '../contracts/schema';
import { ShortTable } from '../ui/table/ShortTable';
import { type TableFormat, tableFormatOf } from '../ui/table/TableCell';
import { useStyles } from '../ui/useStyles';
import { AreaHead } from './AreaHead';
import { FactList } from './FactList';
import { Fold } from './Fold';

type DetailViewProps = DetailProps & {
  /** What can be done with the thing, beside the heading. */
  actions?: ReactNode;
  /** Below the heading. */
  tabs?: ReactNode;
  /** What is often done with it, before all that is known of it. */
  forms?: ReactNode;
  /** Before the tables. */
  children?: ReactNode;
  /** Tables that need the whole width: the facts are above them. */
  isWide?: boolean;
};

/**
 * The page of one thing: what it consists of and what happened to it, beside the facts about it. Where there is no room
 * for two columns: the facts, the tables, then the further facts.
 */
export function DetailView({
  heading,
  backHref,
  backText,
  actions,
  tabs,
  forms,
  children,
  isWide = false,
  ...known
}: DetailViewProps) {
  // Badges of the facts too.
  useStyles(tableStyles);
  const format = tableFormatOf(useSite());
  const groups = (known.groups ?? []).filter(({ facts }) => facts.some(({ cell }) => cell !== null));
  const hasFacts = known.facts.some(({ cell }) => cell !== null);
  const aside = groups.filter(({ place }) => place === 'side');
  const about = groups.filter(({ place }) => place === 'main');
  const beside = known.tables.filter(({ place }) => place === 'side');
  const tables = known.tables.filter(({ place }) => place !== 'side');
  const hasMore = aside.length + beside.length > 0;
  const hasMain = Children.toArray(children).length + about.length + tables.length > 0;
  const isSplit = hasMain && (hasFacts || hasMore) && !isWide;
  return (
    <div className="area-page">
      <AreaHead heading={heading} backHref={backHref} backText={backText} actions={actions} />
      {tabs}
      {forms}
      <div className={isSplit ? 'area-detail area-detail--split' : 'area-detail'}>
        {hasFacts && <FactList facts={known.facts} format={format} />}
        {hasMain && (
          <div className="area-detail__main">
            <FactGroups groups={about} format={format} />
            {children}
            <DetailTables tables={tables} format={format} />
          </div>
        )}
        {hasMore && (
          <div className="area-detail__more">
            <FactGroups groups={aside} format={format} />
            <DetailTables tables={beside} format={format} />
          </div>
        )}
      </div>
    </div>
  );
}

type FactGroupsProps = { groups: NonNullable<DetailProps['groups']>; format: TableFormat };

/** Facts, each group under a title of its own. */
function FactGroups({ groups, format }: FactGroupsProps) {
  return groups.map(({ id, title, facts, place }) => (
    <section key={id} className="area-part" aria-labelledby={`${id}-title`}>
      <h2 className={place === 'main' ? 'heading-m' : 'heading-s'} id={`${id}-title`}>
        {title}
      </h2>
      <FactList facts={facts} format={format} />
    </section>
  ));
}

type DetailTablesProps = Pick<DetailProps, 'tables'> & { format: TableFormat };

/** Short tables; one that few look at opens under its title. */
function DetailTables({ tables, format }: DetailTablesProps) {
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
