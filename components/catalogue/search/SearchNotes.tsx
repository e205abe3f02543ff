import type { SearchProps } from '../../contracts/schema';

type SearchNotesProps = Pick<
  SearchProps,
  'query' | 'answer' | 'normalisedQuery' | 'unknown' | 'exactHref' | 'didYouMean'
>;

/** How the results were found, when not by the exact query. */
export function SearchNotes({
  query,
  answer,
  normalisedQuery,
  unknown,
  exactHref,
  didYouMean,
}: SearchNotesProps) {
  if (answer === 'corrected')
    return (
      <p className="search-notes">
        Showing results for <strong>{`“${normalisedQuery}”`}</strong>.{' '}
        {exactHref && <a href={exactHref}>{`Search instead for “${query}”`}</a>}
      </p>
    );
  if (answer === 'partial')
    return (
      <p className="search-notes">
        Nothing has all of your words. These have some of them{unknown.length > 0 && unknownWords(unknown)}.
      </p>
    );
  if (didYouMean)
    return (
      <p className="search-notes">
        Did you mean <a href={didYouMean.href}>{`“${didYouMean.text}”`}</a>?
      </p>
    );
  return null;
}

function unknownWords(words: string[]): string {
  return `; nothing has ${words.map((word) => `“${word}”`).join(' or ')}`;
}
