import { useEffect, useSyncExternalStore } from 'react';
import { answeredCourses } from '../../api/learning/progress';
import { useRefresh } from '../../api/session/privatePage';
import type { LearningCourse } from '../../contracts/schema';

/** Loads the page's data again when the host says that the course is completed now: its certificate is there. */
export function useRefreshOnCompletion({ id, status }: LearningCourse): void {
  const courses = useSyncExternalStore(answeredCourses.subscribe, answeredCourses.get, answeredCourses.get);
  const refresh = useRefresh();
  const isCompleted = courses.some(({ course, completedAt }) => course === id && completedAt !== null);
  useEffect(() => {
    if (isCompleted && !status.isComplete) refresh().catch(() => undefined);
  }, [isCompleted, status.isComplete, refresh]);
}
