import type { SearchProps } from '../api/pageProps';
import { useSite } from '../api/site';
import { cardAction } from '../cart/AddButton';
import { NothingFound } from '../catalogue/NothingFound';
import { Results } from '../catalogue/Results';
import { SearchBox } from '../catalogue/SearchBox';
import { SearchNotes } from '../catalogue/SearchNotes';
import { formatOf } from '../ui/format';

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
        <Results {...props} action={cardAction} />
      )}
    </>
  );
}

function headingOf({ query, answer, understood }: SearchProps): string {
  if (answer === 'empty') return 'Search the catalogue';
  if (answer === 'none') return `Nothing found for “${query}”`;
  return `Results for “${answer === 'corrected' ? understood : query}”`;
}
