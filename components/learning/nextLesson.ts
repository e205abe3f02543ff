import type { LearningCourse } from '../contracts/schema';

/** The lesson that the outline marks as the next one: none in a completed course. */
export function nextLessonId({ state, resume }: LearningCourse): number | undefined {
  return state === 'completed' ? undefined : resume?.id;
}
