import { useSite } from '../../api/site';
import type { LearningCourse } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Notice } from '../../ui/Notice';

/** What changed about a course since it was begun. */
export function CourseNotes({ course }: { course: LearningCourse }) {
  const format = formatOf(useSite());
  const { isRetired, ruleChangedAt, successor } = course;
  return (
    <>
      {ruleChangedAt && (
        <Notice title={`What completes this course changed on ${format.date(ruleChangedAt)}`}>
          <p>The rule above counts as it is now. What you have done stays done.</p>
        </Notice>
      )}
      {isRetired && (
        <Notice title="No longer sold, yours to keep">
          <p>
            Lessons, notes, progress and the certificate stay as they are.
            {successor && (
              <>
                {' Its successor is '}
                <a href={successor.href}>{successor.name}</a>.
              </>
            )}
          </p>
        </Notice>
      )}
    </>
  );
}
