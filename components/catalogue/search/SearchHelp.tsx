import type { CategoryRef, SearchProps } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { CardGrid } from '../cards/CardGrid';

type SearchHelpProps = Pick<SearchProps, 'answer' | 'normalisedQuery' | 'unknown' | 'popular' | 'courses'> & {
  categories: CategoryRef[];
  format: Format;
};

/** Suggestions for a search without a query and for one without results. */
export function SearchHelp({
  answer,
  normalisedQuery,
  unknown,
  popular,
  courses,
  categories,
  format,
}: SearchHelpProps) {
  return (
    <div className="search-help">
      {answer === 'none' && (
        <section className="search-help__part" aria-label="What you can do">
          <p className="search-help__lead">{queryExplanation(normalisedQuery, unknown)}</p>
          <ul className="search-help__tips">
            <li>Check the spelling, or try another word for the same thing.</li>
            <li>Try fewer words: every one of them must be found.</li>
            <li>Try what it is about, such as “tax”, rather than a whole question.</li>
          </ul>
        </section>
      )}
      <div className="search-help__part search-help__ways">
        <Chips title="Popular searches" links={popular.map(({ text, href }) => ({ name: text, href }))} />
        <Chips title="Subjects" links={categories} />
      </div>
      {courses.length > 0 && (
        <section className="search-help__courses" aria-label="Popular courses">
          <h2 className="search-help__title heading-s">Popular courses</h2>
          <CardGrid cards={courses} format={format} />
        </section>
      )}
    </div>
  );
}

function queryExplanation(normalisedQuery: string, unknown: string[]): string {
  if (normalisedQuery === '') return 'There is no word or number in what you typed.';
  if (unknown.length === 0) return 'Each of these words is in the catalogue, but no title has them together.';
  return `No course or material has the ${unknown.length === 1 ? 'word' : 'words'} ${unknown.map((word) => `“${word}”`).join(', ')}.`;
}

function Chips({ title, links }: { title: string; links: { name: string; href: string }[] }) {
  if (links.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="search-help__title heading-s">{title}</h2>
      <ul className="search-help__chips row">
        {links.map(({ name, href }) => (
          <li key={href}>
            <a className="chip" href={href}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
