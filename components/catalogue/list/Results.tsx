import type { ReactNode } from 'react';
import type { Card, ShopProps } from '../api/pageProps';
import { useSite } from '../api/site';
import { formatOf, plural } from '../ui/format';
import { ActiveFilters } from './ActiveFilters';
import { CardGrid } from './CardGrid';
import { Facets, FilterButton } from './Facets';
import { NoResults } from './NoResults';
import { Pager } from './Pager';
import { SortMenu } from './SortMenu';

/** `isCut`: there are more than are ever counted. `action`: what can be done with a card right here. */
type Props = Omit<ShopProps, 'heading' | 'intro'> & { isCut?: boolean; action: (card: Card) => ReactNode };

/** One page of a list with all that narrows and orders it: the shop's, and a search's. */
export function Results(props: Props) {
  const site = useSite();
  const format = formatOf(site);
  const { total, isCut = false, page, pages, active } = props;
  return (
    <div className="shop">
      <Facets facets={props.facets} total={total} format={format} />
      <section className="shop__results" aria-label="Results">
        <div className="toolbar">
          <p className="toolbar__count" role="status">
            <strong>{`${format.count(total)}${isCut ? '+' : ''}`}</strong>{' '}
            {plural(total, 'result', 'results')}
            {pages > 1 && `, page ${format.count(page)} of ${format.count(pages)}`}
          </p>
          <FilterButton active={active.length} />
          <SortMenu options={props.sort} />
        </div>
        <ActiveFilters active={active} clearHref={props.clearHref} />
        {total === 0 ? (
          <NoResults clearHref={props.clearHref} categories={site.categories} />
        ) : (
          <CardGrid cards={props.cards} format={format} heading="h2" eager={3} isList action={props.action} />
        )}
        <Pager pager={props.pager} format={format} />
      </section>
    </div>
  );
}
