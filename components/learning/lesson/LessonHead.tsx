import type { RefObject } from 'react';
import { useSite } from '../../api/site';
import type { LearningLesson } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Badge } from '../../ui/Badge';
import { LessonFacts } from '../LessonFacts';

type LessonHeadProps = {
  lesson: LearningLesson;
  /** The number of lessons of the course. */
  count: number;
  isDone: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
};

/** Title and facts of a lesson, and what changed about it. */
export function LessonHead({ lesson, count, isDone, heading }: LessonHeadProps) {
  const format = formatOf(useSite());
  const { title, number, section, isRequired, isWithdrawn } = lesson;
  return (
    <header className="lesson-head stack">
      <p className="hint">
        {section && <span>{`${section} · `}</span>}
        {isWithdrawn
          ? 'No longer part of the course'
          : `Lesson ${format.count(number)} of ${format.count(count)}`}
      </p>
      <h1 dir="auto" id="lesson-title" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div className="row lesson-head__facts">
        <LessonFacts lesson={lesson} seconds={lesson.body.kind === 'video' ? lesson.body.seconds : null} />
        {!isRequired && !isWithdrawn && <span className="hint">Optional</span>}
        {/* Its place is kept. */}
        <span className="lesson-head__done">{isDone && <Badge tone="good" text="Done" />}</span>
      </div>
      <LessonNotes lesson={lesson} isDone={isDone} />
    </header>
  );
}

function LessonNotes({ lesson, isDone }: { lesson: LearningLesson; isDone: boolean }) {
  const format = formatOf(useSite());
  const { changedAt, isGenerated } = lesson;
  return (
    <>
      {changedAt && (
        <p className="hint">{`Changed on ${format.date(changedAt)}${isDone ? ': it stays done' : ''}.`}</p>
      )}
      {isGenerated && <p className="hint">This sheet was made from what the course says of itself.</p>}
    </>
  );
}
