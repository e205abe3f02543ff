import { useSite } from '../../api/site';
import { cardAction } from '../../cart/buttons/AddButton';
import { Results } from '../../catalogue/list/Results';
import { SearchBox } from '../../catalogue/search/SearchBox';
import { SearchHelp } from '../../catalogue/search/SearchHelp';
import { SearchNotes } from '../../catalogue/search/SearchNotes';
import type { SearchProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';

export function SearchPage(props: SearchProps) {
  const site = useSite();
  const format = formatOf(site);
  const isHelp = props.answer === 'empty' || props.answer === 'none';
  return (
    <>
      <div className="search-head band">
        <div className="search-head__inner">
          <h1 className="search-head__title">{headingOf(props)}</h1>
          {/* The key creates a new box for a new search, filled with its query. */}
          <SearchBox key={props.query} place="page" query={props.query} />
          <SearchNotes {...props} />
        </div>
      </div>
      {isHelp ? (
        <SearchHelp {...props} categories={site.categories} format={format} />
      ) : (
        <Results {...props} action={cardAction} />
      )}
    </>
  );
}

function headingOf({ query, answer, normalisedQuery }: SearchProps): string {
  if (answer === 'empty') return 'Search the catalogue';
  if (answer === 'none') return `Nothing found for “${query}”`;
  return `Results for “${answer === 'corrected' ? normalisedQuery : query}”`;
}
