import { useSite } from '../../api/site';
import type { DashboardCourse } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Badge } from '../../ui/Badge';
import { CourseProgress } from '../CourseProgress';
import { STATES } from '../learningLabels';

type CourseRowProps = { course: DashboardCourse; heading: 'h2' | 'h3' };

/** A course of the learner: how far it is, what completes it, where it comes from and until when. */
export function CourseRow({ course, heading: Heading }: CourseRowProps) {
  const { name, learnHref, picture, state, rule } = course;
  return (
    <li className="course-row panel">
      <img className="picture course-row__picture" {...picture} alt="" loading="lazy" />
      <div className="course-row__body stack">
        <div className="course-row__head row">
          <Heading className="course-row__name">
            <a className="course-row__link" href={learnHref}>
              {name}
            </a>
          </Heading>
          <Badge {...STATES[state]} />
        </div>
        <CourseProgress {...course} />
        {state !== 'completed' && course.needed > 0 && <p className="hint">{rule}</p>}
        <p className="course-row__facts hint">{useFacts(course).join(' · ')}</p>
      </div>
    </li>
  );
}

function useFacts(course: DashboardCourse): string[] {
  const { source, state, enrolledAt, accessUntil, completedAt, isRetired } = course;
  const format = formatOf(useSite());
  const until = state === 'ended' ? 'Access ended on' : 'Access until';
  return [
    completedAt ? `Completed on ${format.date(completedAt)}` : '',
    `${source}, ${format.date(enrolledAt)}`,
    accessUntil ? `${until} ${format.date(accessUntil)}` : '',
    // Whose access ends does not keep it.
    isRetired ? `No longer sold${accessUntil ? '' : ', yours to keep'}` : '',
  ].filter(Boolean);
}
