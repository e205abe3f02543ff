import { useSite } from '../api/site';
import type { LessonLink } from '../contracts/schema';
import { clockOf } from '../format/clock';
import { formatOf } from '../format/format';
import { Icon } from '../ui/Icon';
import { KINDS } from './learningLabels';

type LessonFactsProps = {
  lesson: Pick<LessonLink, 'kind' | 'minutes'>;
  /** The length of its film, where that is known. */
  seconds?: number | null;
};

/** Kind and length of a lesson. */
export function LessonFacts({ lesson: { kind, minutes }, seconds = null }: LessonFactsProps) {
  const site = useSite();
  const format = formatOf(site);
  return (
    <span className="lesson-facts hint">
      <Icon name={KINDS[kind].icon} />
      {KINDS[kind].text}
      {seconds !== null && ` ${clockOf(seconds, site.forms.zero)}`}
      {/* With what there is to read and to do beside the film. */}
      {minutes > 0 && ` · ${format.duration(minutes)}${seconds === null ? '' : ' in all'}`}
    </span>
  );
}
