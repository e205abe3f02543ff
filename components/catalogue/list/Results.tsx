import type { ReactNode } from 'react';
import { useSite } from '../../api/site';
import type { Card, ShopProps } from '../../contracts/schema';
import { formatOf, plural } from '../../format/format';
import { Pagination } from '../../ui/Pagination';
import { CardGrid } from '../cards/CardGrid';
import { ActiveFilters } from './ActiveFilters';
import { Facets, FilterButton } from './Facets';
import { NoResults } from './NoResults';
import { SortMenu } from './SortMenu';

/** `isTruncated`: there are more results than are counted. `action`: the button on each card. */
type Props = Omit<ShopProps, 'heading' | 'intro'> & {
  isTruncated?: boolean;
  action: (card: Card) => ReactNode;
};

/** One page of the shop's list or of a search, with its filters and sort order. */
export function Results(props: Props) {
  const site = useSite();
  const format = formatOf(site);
  const { total, isTruncated = false, page, pages, active } = props;
  return (
    <div className="shop stack">
      <Facets facets={props.facets} total={total} format={format} />
      <section className="shop__results" aria-label="Results">
        <div className="toolbar row">
          <p className="toolbar__count" role="status">
            <strong>{`${format.count(total)}${isTruncated ? '+' : ''}`}</strong>{' '}
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
        <Pagination pagination={props.pagination} format={format} />
      </section>
    </div>
  );
}
