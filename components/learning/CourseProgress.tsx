import { useSite } from '../api/site';
import { formatOf } from '../format/format';
import { Progress } from '../ui/loading/Progress';

type CourseProgressProps = {
  name: string;
  done: number;
  needed: number;
  percent: number;
  /** 0: not shown. */
  minutesLeft?: number;
};

/** How far a course is: the bar, and the same in words. */
export function CourseProgress({ name, done, needed, percent, minutesLeft = 0 }: CourseProgressProps) {
  const format = formatOf(useSite());
  const left = minutesLeft > 0 && percent < 100 ? ` · ${format.duration(minutesLeft)} left` : '';
  return (
    <Progress
      label={`Progress in ${name}`}
      isLabelHidden
      value={percent}
      text={
        needed > 0
          ? `${format.count(done)} of ${format.count(needed)} lessons done${left}`
          : 'Its lessons are still to come.'
      }
    />
  );
}
