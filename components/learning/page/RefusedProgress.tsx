import { forgetRefused, retryRefused } from '../../api/learning/progress';
import { useSite } from '../../api/site';
import { newest, type UnsentLesson } from '../../browser/progress/unsentProgress';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';

type RefusedProgressProps = { learner: number; entries: UnsentLesson[] };

/** What the host did not store of the learner's work. It stays here until they have decided. */
export function RefusedProgress({ learner, entries }: RefusedProgressProps) {
  const format = formatOf(useSite());
  const last = new Date(Math.max(...entries.map(newest))).toISOString();
  const lessons = entries.length === 1 ? 'one lesson' : `${entries.length} lessons`;
  return (
    <Notice kind="warning" title={`What you did in ${lessons} is not saved`}>
      <p>
        {`It is from ${format.date(last)} or before. You had no access to the course then, or its end is more than 30 `}
        {'days ago, or the lesson is gone. It is kept in this browser.'}
      </p>
      <p className="actions">
        <Button variant="quiet" onClick={() => retryRefused(learner)}>
          Try again
        </Button>
        <Button variant="quiet" onClick={() => forgetRefused(learner)}>
          Forget it
        </Button>
      </p>
    </Notice>
  );
}
