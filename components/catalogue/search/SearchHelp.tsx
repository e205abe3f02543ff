import type { CategoryRef, SearchProps } from '../api/pageProps';
import type { Format } from '../ui/format';
import { CardGrid } from './CardGrid';

type NothingFoundProps = Pick<SearchProps, 'answer' | 'understood' | 'unknown' | 'popular' | 'courses'> & {
  categories: CategoryRef[];
  format: Format;
};

/** What to go on with: before anything was asked, and when nothing was found. */
export function NothingFound({
  answer,
  understood,
  unknown,
  popular,
  courses,
  categories,
  format,
}: NothingFoundProps) {
  return (
    <div className="search-help">
      {answer === 'none' && (
        <section className="search-help__part" aria-label="What you can do">
          <p className="search-help__lead">{whatWasUnderstood(understood, unknown)}</p>
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
          <h2 className="search-help__title">Popular courses</h2>
          <CardGrid cards={courses} format={format} />
        </section>
      )}
    </div>
  );
}

function whatWasUnderstood(understood: string, unknown: string[]): string {
  if (understood === '') return 'There is no word or number in what you typed.';
  if (unknown.length === 0) return 'Each of these words is in the catalogue, but no title has them together.';
  return `No course or material has the ${unknown.length === 1 ? 'word' : 'words'} ${unknown.map((word) => `“${word}”`).join(', ')}.`;
}

function Chips({ title, links }: { title: string; links: { name: string; href: string }[] }) {
  if (links.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="search-help__title">{title}</h2>
      <ul className="search-help__chips">
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
