import type { ComponentProps, ReactNode } from 'react';
import { useSite } from '../api/site';
import type { ListPageProps } from '../contracts/schema';
import { DataTable } from '../ui/table/DataTable';

type ListViewProps = ListPageProps & {
  /** What can be done beside the list, such as a link to make something new. */
  actions?: ReactNode;
} & Pick<ComponentProps<typeof DataTable>, 'onBulk'>;

/** A page of an area that is one list. */
export function ListView({ title, table, links, actions, ...bulk }: ListViewProps) {
  const site = useSite();
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <h1>{title}</h1>
        {links?.map(({ text, href }) => (
          <a key={href} className="button" href={href}>
            {text}
          </a>
        ))}
        {actions}
      </header>
      <DataTable table={table} site={site} {...bulk} />
    </div>
  );
}
