import { useSite } from '../../api/site';
import type { OutlineLesson } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Icon } from '../../ui/Icon';
import { KINDS } from '../learningLabels';
import { lessonHref } from '../lessonHref';

type OutlineRowProps = {
  course: { learnHref: string };
  lesson: OutlineLesson;
  isCurrent: boolean;
  isNext: boolean;
};

/** A lesson of the outline. Its state is in words too: colour and sign alone do not tell. */
export function OutlineRow({ course, lesson, isCurrent, isNext }: OutlineRowProps) {
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
    minutes > 0 ? format.duration(minutes) : '',
    isOptional ? 'Optional' : '',
    isNew ? 'New since you finished' : '',
    changedAt ? `Changed on ${format.date(changedAt)}` : '',
  ].filter(Boolean);
}
