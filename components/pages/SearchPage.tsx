import type { SearchProps } from '../api/pageProps';
import { useSite } from '../api/site';
import { cardAction } from '../cart/AddButton';
import { ActiveFilters } from '../catalogue/ActiveFilters';
import { CardGrid } from '../catalogue/CardGrid';
import { Facets, FilterButton } from '../catalogue/Facets';
import { NoResults } from '../catalogue/NoResults';
import { NothingFound } from '../catalogue/NothingFound';
import { Pager } from '../catalogue/Pager';
import { SearchBox } from '../catalogue/SearchBox';
import { SearchNotes } from '../catalogue/SearchNotes';
import { SortMenu } from '../catalogue/SortMenu';
import { type Format, formatOf, plural } from '../ui/format';

export function SearchPage(props: SearchProps) {
  const site = useSite();
  const format = formatOf(site);
  const isHelp = props.answer === 'empty' || props.answer === 'none';
  return (
    <>
      <div className="search-head">
        <div className="search-head__inner">
          <h1 className="search-head__title">{headingOf(props)}</h1>
          {/* The key gives a new search a new box: what is in it is what was asked. */}
          <SearchBox key={props.query} place="page" query={props.query} />
          <SearchNotes {...props} />
        </div>
      </div>
      {isHelp ? (
        <NothingFound {...props} categories={site.categories} format={format} />
      ) : (
        <Results {...props} format={format} />
      )}
    </>
  );
}

function headingOf({ query, answer, understood }: SearchProps): string {
  if (answer === 'empty') return 'Search the catalogue';
  if (answer === 'none') return `Nothing found for “${query}”`;
  return `Results for “${answer === 'corrected' ? understood : query}”`;
}

function Results(props: SearchProps & { format: Format }) {
  const site = useSite();
  const { format, total, isCut, page, pages, active } = props;
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
          <CardGrid cards={props.cards} format={format} heading="h2" eager={3} isList action={cardAction} />
        )}
        <Pager pager={props.pager} format={format} />
      </section>
    </div>
  );
}
