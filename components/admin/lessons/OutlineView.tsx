import type { CourseOutlineProps } from '../../contracts/schema';
import { isolated } from '../../model/isolated';

/** The lessons of a course for those who may not change them. */
export function OutlineView({ outline, effects }: Pick<CourseOutlineProps, 'outline' | 'effects'>) {
  return (
    <section className="area-part" aria-label="Lessons">
      <p>{effects.rule}</p>
      {outline.sections.map(({ title, lessons }) => (
        <section key={title} aria-label={title}>
          <h2 className="heading-s">{title}</h2>
          <ol>
            {lessons.map((lesson) => (
              <li key={lesson.id}>{`${isolated(lesson.title)}, ${lesson.minutes} minutes`}</li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
}
