import { Button } from '../ui/controls/Button';
import type { LessonRecord } from './state/useLessonRecord';

/** Marks a lesson as done, or not: only its learner knows. */
export function DoneSwitch({ record: { isDone, markDone } }: { record: LessonRecord }) {
  return (
    <p className="lesson-done">
      <Button variant="text-quiet" onClick={() => markDone(!isDone)}>
        {isDone ? 'Mark as not done' : 'Mark as done'}
      </Button>
    </p>
  );
}
