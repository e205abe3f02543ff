import { useSite } from '../api/site';
import type { LessonLink } from '../contracts/schema';
import { formatOf } from '../format/format';
import { Icon } from '../ui/Icon';
import { KINDS } from './learningLabels';

/** Kind and length of a lesson. */
export function LessonFacts({ lesson: { kind, minutes } }: { lesson: Pick<LessonLink, 'kind' | 'minutes'> }) {
  const format = formatOf(useSite());
  return (
    <span className="lesson-facts hint">
      <Icon name={KINDS[kind].icon} />
      {KINDS[kind].text}
      {minutes > 0 && ` · ${format.duration(minutes)}`}
    </span>
  );
}
