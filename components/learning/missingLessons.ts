import type { LearningCourse, OutlineLesson } from '../contracts/schema';

/** The lessons still to be done for the course to be completed, in the order of the outline. */
export function missingLessons({ sections, status }: LearningCourse): OutlineLesson[] {
  const missing = new Set(status.missing);
  return sections.flatMap(({ lessons }) => lessons).filter(({ id }) => missing.has(id));
}
