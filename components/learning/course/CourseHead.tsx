import { useSite } from '../../api/site';
import type { LearningCourse } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Badge } from '../../ui/Badge';
import { BackLink } from '../BackLink';
import { CourseProgress } from '../CourseProgress';
import { GO_ON, STATES } from '../learningLabels';
import { endHref } from '../lessonHref';

type CourseHeadProps = { course: LearningCourse };

/** Name and state of a course, its rule in words, and the one button that goes on. */
export function CourseHead({ course }: CourseHeadProps) {
  const { name, picture, state, status, resume, minutesLeft } = course;
  return (
    <header className="course-head">
      <img className="picture course-head__picture" {...picture} alt="" fetchPriority="high" />
      <div className="course-head__body stack">
        <BackLink href="/user-dashboard" text="My learning" />
        <h1 dir="auto">{name}</h1>
        <div className="row course-head__state">
          <Badge {...STATES[state]} />
          <span className="hint">{useFacts(course).join(' · ')}</span>
        </div>
        <CourseProgress name={name} {...status} minutesLeft={state === 'ended' ? 0 : minutesLeft} />
        {resume && state !== 'ended' && (
          <div className="row course-head__resume">
            <a className="button" href={resume.href}>
              {GO_ON[state]}
            </a>
            {state === 'completed' ? (
              <a className="more-link" href={endHref(course)}>
                Certificate and what comes next
              </a>
            ) : (
              <p className="muted">{resume.title}</p>
            )}
          </div>
        )}
      </div>
    </header>
  );
}

function useFacts({ source, state, enrolledAt, accessUntil, completedAt }: LearningCourse): string[] {
  const format = formatOf(useSite());
  return [
    completedAt ? `Completed on ${format.date(completedAt)}` : '',
    `${source}, ${format.date(enrolledAt)}`,
    accessUntil && state !== 'ended' ? `Access until ${format.date(accessUntil)}` : '',
  ].filter(Boolean);
}
