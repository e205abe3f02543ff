import { useSite } from '../../api/site';
import type { OutlineLesson } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Icon } from '../../ui/Icon';
import { KINDS } from '../learningLabels';

type OutlineRowProps = { lesson: OutlineLesson; isCurrent: boolean; isNext: boolean };

/** A lesson of the outline. Its state is in words too: colour and sign alone do not tell. */
export function OutlineRow({ lesson, isCurrent, isNext }: OutlineRowProps) {
  const { title, href, isDone } = lesson;
  return (
    <li>
      <a className="lesson-row" href={href} aria-current={isCurrent ? 'page' : undefined}>
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

function useFacts({ kind, minutes, isRequired, isNew, changedAt }: OutlineLesson, isNext: boolean): string[] {
  const format = formatOf(useSite());
  return [
    isNext ? 'Next' : '',
    KINDS[kind].text,
    minutes > 0 ? format.duration(minutes) : '',
    isRequired ? '' : 'Optional',
    isNew ? 'New since you finished' : '',
    changedAt ? `Changed on ${format.date(changedAt)}` : '',
  ].filter(Boolean);
}
