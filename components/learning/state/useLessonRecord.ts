import { useCallback, useEffect, useRef } from 'react';
import { recordProgress } from '../../api/learning/progress';
import type { LearningLesson } from '../../contracts/schema';
import { useLessonState } from './useKnownProgress';

export type LessonRecord = {
  isDone: boolean;
  /** Where the learner stopped when the lesson was opened: seconds of a video, thousandths of a text. */
  startPosition: number;
  markDone: (isDone: boolean) => void;
  savePosition: (position: number) => void;
};

/** What happens in the lesson on screen. Opening it is recorded: the course goes on here, on every device. */
export function useLessonRecord(lesson: LearningLesson, learner: number): LessonRecord {
  const { isDone, position } = useLessonState(lesson);
  const startPosition = useRef(position);
  const { id } = lesson;
  useEffect(() => recordProgress(learner, id, { position: startPosition.current }), [learner, id]);
  const markDone = useCallback((done: boolean) => recordProgress(learner, id, { done }), [learner, id]);
  const savePosition = useCallback(
    (at: number) => recordProgress(learner, id, { position: Math.max(0, Math.round(at)) }),
    [learner, id],
  );
  return { isDone, startPosition: startPosition.current, markDone, savePosition };
}
