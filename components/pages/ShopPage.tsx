import type { ShopProps } from '../api/pageProps';
import { useSite } from '../api/site';
import { cardAction } from '../cart/AddButton';
import { ActiveFilters } from '../catalogue/ActiveFilters';
import { CardGrid } from '../catalogue/CardGrid';
import { Facets, FilterButton } from '../catalogue/Facets';
import { NoResults } from '../catalogue/NoResults';
import { Pager } from '../catalogue/Pager';
import { SortMenu } from '../catalogue/SortMenu';
import { formatOf, plural } from '../ui/format';

export function ShopPage(props: ShopProps) {
  const site = useSite();
  const format = formatOf(site);
  const { total, page, pages, active } = props;
  return (
    <>
      <div className="shop-head">
        <div className="shop-head__inner">
          <h1 className="shop-head__title">{props.heading}</h1>
          {props.intro && <p className="shop-head__intro">{props.intro}</p>}
        </div>
      </div>
      <div className="shop">
        <Facets facets={props.facets} total={total} format={format} />
        <section className="shop__results" aria-label="Results">
          <div className="toolbar">
            <p className="toolbar__count">
              <strong>{format.count(total)}</strong> {plural(total, 'result', 'results')}
              {pages > 1 && `, page ${format.count(page)} of ${format.count(pages)}`}
            </p>
            <FilterButton active={active.length} />
            <SortMenu options={props.sort} />
          </div>
          <ActiveFilters active={active} clearHref={props.clearHref} />
          {total === 0 ? (
            <NoResults clearHref={props.clearHref} categories={site.categories} />
          ) : (
            <CardGrid cards={props.cards} format={format} heading="h2" eager={3} isList action={cardAction} />
          )}
          <Pager pager={props.pager} format={format} />
        </section>
      </div>
    </>
  );
}
