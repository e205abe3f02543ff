import { Icon } from '../../ui/Icon';

type SearchLessonsProps = { slug: string; query: string };

/** Searches in the lessons of one course: a plain form. */
export function SearchLessons({ slug, query }: SearchLessonsProps) {
  return (
    <search>
      <form className="lesson-search" action="/user-dashboard" method="get" data-navigate="">
        <input type="hidden" name="course" value={slug} />
        <label className="sr-only" htmlFor="lesson-search">
          Search in this course
        </label>
        <input
          key={query}
          id="lesson-search"
          className="lesson-search__input"
          type="search"
          name="q"
          defaultValue={query}
          placeholder="Search in this course"
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="submit" className="button button--quiet lesson-search__button">
          <Icon name="search" />
          Search
        </button>
      </form>
    </search>
  );
}
