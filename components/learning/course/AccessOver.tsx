import { useSite } from '../../api/site';
import type { AccessOverView } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Notice } from '../../ui/Notice';
import { CertificateRows } from '../certificates/CertificateRows';
import { LearningPart } from '../LearningPart';
import { NoteRows } from '../notes/NoteRows';
import { CourseHead } from './CourseHead';
import { QuizScores } from './QuizScores';

/** A course whose access is over: why, how to get it back, and what the learner wrote and reached in it. */
export function AccessOver({ view }: { view: AccessOverView }) {
  const format = formatOf(useSite());
  const { course, reason, endedAt, readableUntil, isReadable, back, scores, notes, certificates } = view;
  const { issued, unnamed } = certificates;
  const until = format.date(readableUntil);
  return (
    <div className="learning stack">
      <CourseHead course={course} />
      <Notice kind="warning" title={`Your access ended on ${format.date(endedAt)}`}>
        <p>{reason}</p>
        <p>
          {isReadable
            ? `Your notes and results can be read until ${until}. Certificates stay.`
            : `Your notes and results could be read until ${until}.`}
        </p>
        {back && (
          <a className="button" href={back.href}>
            {back.name}
          </a>
        )}
      </Notice>
      {isReadable && (
        <>
          <LearningPart title="Your results">
            {scores.length > 0 ? <QuizScores scores={scores} /> : <p className="muted">You took no quiz.</p>}
          </LearningPart>
          <LearningPart title="Your notes">
            {notes.length > 0 ? (
              <NoteRows notes={notes} heading="h3" isOver />
            ) : (
              <p className="muted">You wrote no notes.</p>
            )}
          </LearningPart>
        </>
      )}
      {issued.length + unnamed.length > 0 && (
        <LearningPart title="Certificate" className="panel learning-part--card">
          <CertificateRows certificates={certificates} />
        </LearningPart>
      )}
    </div>
  );
}
