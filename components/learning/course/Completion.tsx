import { useSite } from '../../api/site';
import type { LearningCourse } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { LearningPart } from '../LearningPart';
import { MissingLessons, missingLessons } from '../MissingLessons';

// So few missing lessons are worth naming.
const MAX_NAMED = 5;

/** What completes a course, in words, and what is still missing, each linked. */
export function Completion({ course }: { course: LearningCourse }) {
  const format = formatOf(useSite());
  const { rule, status, state, hasCertificate, completedAt, completionReason } = course;
  const missing = missingLessons(course);
  return (
    <LearningPart title="What completes it" className="panel learning-part--card">
      <p>{rule}</p>
      {completedAt && (
        <p className="muted">{`You completed it on ${format.date(completedAt)}. It stays completed.`}</p>
      )}
      {completionReason && <p>{`Our staff completed it for you: ${completionReason}`}</p>}
      {!status.isComplete && state === 'underway' && missing.length <= MAX_NAMED && (
        <>
          <p className="muted">Still missing:</p>
          <MissingLessons course={course} lessons={missing} />
        </>
      )}
      {!completedAt && (
        <p className="muted">
          {hasCertificate
            ? 'Then you get a certificate that anyone can check.'
            : 'This course has no certificate.'}
        </p>
      )}
      <p>
        <a href={course.href}>About this course</a>
      </p>
    </LearningPart>
  );
}
