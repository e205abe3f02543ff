import type { SearchProps } from '../api/pageProps';

type SearchNotesProps = Pick<
  SearchProps,
  'query' | 'answer' | 'understood' | 'unknown' | 'asTypedHref' | 'didYouMean'
>;

/** How the results came about, when it was not by finding just what was typed. */
export function SearchNotes({
  query,
  answer,
  understood,
  unknown,
  asTypedHref,
  didYouMean,
}: SearchNotesProps) {
  if (answer === 'corrected')
    return (
      <p className="search-notes">
        Showing results for <strong>{`“${understood}”`}</strong>.{' '}
        {asTypedHref && <a href={asTypedHref}>{`Search instead for “${query}”`}</a>}
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
