import { useSite } from '../../api/site';
import type { OutlineLesson, OutlineSection } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Icon } from '../../ui/Icon';
import { lengthText } from '../LessonFacts';
import { KINDS } from '../learningLabels';
import { lessonHref } from '../lessonHref';

type OutlineProps = {
  course: { learnHref: string };
  sections: OutlineSection[];
  /** The lesson on screen. */
  currentId?: number;
  /** The lesson to go on with. */
  nextId?: number | undefined;
  /** On a page of its own, not beside a lesson. */
  isWide?: boolean;
};

/** The lessons of a course, by sections, with what is done. */
export function Outline({ course, sections, currentId, nextId, isWide = false }: OutlineProps) {
  const { count } = formatOf(useSite());
  const Title = isWide ? 'h3' : 'p';
  return (
    <ol className={isWide ? 'outline stack outline--wide' : 'outline stack'}>
      {sections.map(({ title, lessons }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have no id, and two may have one title
        <li key={index} className="outline__section">
          {title && (
            <div className="outline__head row">
              <Title className="outline__title">{title}</Title>
              <span className="hint">
                {`${count(lessons.filter(({ isDone }) => isDone).length)}/${count(lessons.length)}`}
                <span className="sr-only"> lessons done</span>
              </span>
            </div>
          )}
          <ol className="outline__lessons">
            {lessons.map((lesson) => (
              <OutlineRow
                key={lesson.id}
                course={course}
                lesson={lesson}
                isCurrent={lesson.id === currentId}
                isNext={lesson.id === nextId}
              />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

type OutlineRowProps = {
  course: { learnHref: string };
  lesson: OutlineLesson;
  isCurrent: boolean;
  isNext: boolean;
};

/** A lesson of the outline. Its state is in words too: colour and sign alone do not tell. */
function OutlineRow({ course, lesson, isCurrent, isNext }: OutlineRowProps) {
  const { title, isDone } = lesson;
  return (
    <li>
      <a
        className="lesson-row"
        href={lessonHref(course, lesson)}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {isDone ? (
          <span className="lesson-row__mark lesson-row__mark--done" role="img" aria-label="Done:">
            <Icon name="check" />
          </span>
        ) : (
          <span className="lesson-row__mark" />
        )}
        <span>{title}</span>
        <span className="lesson-row__facts hint">{useFacts(lesson, isNext).join(' · ')}</span>
      </a>
    </li>
  );
}

function useFacts({ kind, minutes, isOptional, isNew, changedAt }: OutlineLesson, isNext: boolean): string[] {
  const format = formatOf(useSite());
  return [
    isNext ? 'Next' : '',
    KINDS[kind].text,
    minutes > 0 ? lengthText(kind, format.duration(minutes)) : '',
    isOptional ? 'Optional' : '',
    isNew ? 'New since you finished' : '',
    changedAt ? `Changed on ${format.date(changedAt)}` : '',
  ].filter(Boolean);
}
