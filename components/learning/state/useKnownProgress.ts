import { useMemo, useSyncExternalStore } from 'react';
import { usePageTime } from '../../api/learning/pageTime';
import {
  isLessonDone,
  type KnownLessons,
  knownProgress,
  positionOf,
} from '../../browser/progress/knownProgress';
import type { LearningCourse, LearningLesson } from '../../contracts/schema';

const NOTHING: KnownLessons = new Map();

function useKnown(): KnownLessons {
  return useSyncExternalStore(knownProgress.subscribe, knownProgress.get, () => NOTHING);
}

/** The course with what this browser knows beyond the page's data; the host alone says when it is completed. */
export function useCourse(course: LearningCourse): LearningCourse {
  const known = useKnown();
  const madeAt = usePageTime();
  return useMemo(
    () => (known.size === 0 ? course : withKnown(course, known, madeAt)),
    [course, known, madeAt],
  );
}

function withKnown(course: LearningCourse, known: KnownLessons, madeAt: number): LearningCourse {
  let change = 0;
  const missing = new Set(course.status.missing);
  const sections = course.sections.map((section) => ({
    ...section,
    lessons: section.lessons.map((lesson) => {
      const isDone = isLessonDone(lesson, known, madeAt);
      if (isDone === lesson.isDone) return lesson;
      if (!lesson.isOptional) change += isDone ? 1 : -1;
      if (isDone) missing.delete(lesson.id);
      return { ...lesson, isDone };
    }),
  }));
  if (change === 0 && missing.size === course.status.missing.length) return { ...course, sections };
  const { needed, isComplete } = course.status;
  const done = Math.min(needed, Math.max(0, course.status.done + change));
  const percent = isComplete ? 100 : Math.min(99, needed === 0 ? 0 : Math.floor((done * 100) / needed));
  return { ...course, sections, status: { ...course.status, done, percent, missing: [...missing] } };
}

/** Whether the lesson is done, and where its learner stopped. */
export function useLessonState(lesson: LearningLesson): { isDone: boolean; position: number } {
  const known = useKnown();
  const madeAt = usePageTime();
  return {
    isDone: isLessonDone({ id: lesson.id, isDone: lesson.state.isDone }, known, madeAt),
    position: positionOf({ id: lesson.id, position: lesson.state.position }, known, madeAt),
  };
}
