import { useSite } from '../../api/site';
import type { CourseView } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Notice } from '../../ui/Notice';

type CourseNotesProps = Pick<CourseView, 'course' | 'refund' | 'closure'>;

/** What changed about a course since it was begun. */
export function CourseNotes({ course, refund, closure }: CourseNotesProps) {
  const format = formatOf(useSite());
  const { isRetired, rule, ruleChangedAt, successor, accessUntil } = course;
  // Whose access ends does not keep it.
  const kept = accessUntil ? 'No longer sold' : 'No longer sold, yours to keep';
  return (
    <>
      {ruleChangedAt && (
        <Notice title={`What completes this course changed on ${format.date(ruleChangedAt)}`}>
          <p>{`It counts as it is now: ${rule} What you have done stays done.`}</p>
        </Notice>
      )}
      {isRetired && (
        <Notice
          kind={closure ? 'warning' : 'info'}
          title={closure ? `This course ends on ${format.date(closure.endsAt)}` : kept}
        >
          <p>
            {closure
              ? `We have to end it for legal reasons: ${closure.reason} A certificate stays yours.`
              : `${accessUntil ? 'Until your access ends, lessons' : 'Lessons'}, notes, progress and the certificate stay as they are.`}
            {successor && (
              <>
                {' Its successor is '}
                <a href={successor.href}>{successor.name}</a>.
              </>
            )}
          </p>
          {refund && (
            <p>
              {closure
                ? 'You may ask for your money back: '
                : 'It was withdrawn soon after you bought it, so you may still ask for your money back: '}
              <a href={refund.href}>{`order ${refund.name}`}</a>.
            </p>
          )}
        </Notice>
      )}
    </>
  );
}
