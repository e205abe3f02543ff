import { useSite } from '../api/site';
import type { LessonLink } from '../contracts/schema';
import { clockOf } from '../format/clock';
import { formatOf } from '../format/format';
import { Icon } from '../ui/Icon';
import { KINDS } from './learningLabels';

/** How long a lesson takes: of a video with what there is to read and to do beside the film. */
export const lengthText = (kind: LessonLink['kind'], duration: string) =>
  kind === 'video' ? `${duration} in all` : duration;

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
      {minutes > 0 && ` · ${lengthText(kind, format.duration(minutes))}`}
    </span>
  );
}
