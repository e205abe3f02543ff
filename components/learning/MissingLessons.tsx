import type { LearningCourse, OutlineLesson } from '../contracts/schema';
import { lessonHref } from './lessonHref';

type MissingLessonsProps = { course: LearningCourse; lessons: OutlineLesson[] };

/** Links to lessons that are still to be done (`missingLessons`). */
export function MissingLessons({ course, lessons }: MissingLessonsProps) {
  return (
    <ul className="missing">
      {lessons.map((lesson) => (
        <li key={lesson.id}>
          <a href={lessonHref(course, lesson)}>{lesson.title}</a>
        </li>
      ))}
    </ul>
  );
}

/** The lessons still to be done for the course to be completed, in the order of the outline. */
export function missingLessons({ sections, status }: LearningCourse): OutlineLesson[] {
  const missing = new Set(status.missing);
  return sections.flatMap(({ lessons }) => lessons).filter(({ id }) => missing.has(id));
}
