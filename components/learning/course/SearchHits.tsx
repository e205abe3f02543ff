import { useSite } from '../../api/site';
import type { CourseSearch } from '../../contracts/schema';
import { formatOf, plural } from '../../format/format';
import { LessonFacts } from '../LessonFacts';

type SearchHitsProps = { search: CourseSearch; courseHref: string };

/** The lessons that hold all words, each with the sentence. */
export function SearchHits({ search: { query, hits, hasMore }, courseHref }: SearchHitsProps) {
  const count = formatOf(useSite()).count(hits.length);
  return (
    <section className="stack course-outline" aria-labelledby="hits-title">
      <h2 className="heading-m" id="hits-title">
        {hits.length === 0
          ? `Nothing found for “${query}”`
          : `${hasMore ? 'The first ' : ''}${count} ${plural(hits.length, 'lesson', 'lessons')} with “${query}”`}
      </h2>
      {hits.length === 0 && (
        <p className="muted">All words have to be in one lesson. Try fewer or shorter ones.</p>
      )}
      <ol className="hits stack">
        {hits.map(({ lesson, sentence }) => (
          <li className="hit" key={lesson.id}>
            <a className="hit__title" href={lesson.href}>
              {lesson.title}
            </a>
            <LessonFacts lesson={lesson} />
            {sentence && <p className="muted">{sentence}</p>}
          </li>
        ))}
      </ol>
      <p>
        <a href={courseHref}>Back to the whole outline</a>
      </p>
    </section>
  );
}
