import type { LearningCourse } from '../../contracts/schema';
import { Icon } from '../../ui/Icon';
import { BackLink } from '../BackLink';
import { CourseProgress } from '../CourseProgress';
import { OnYourPhone } from './OnYourPhone';

/** Above a lesson: back to its course, how far that is, the outline on narrow screens, and the way to the phone. */
export function PlayerHead({ course }: { course: LearningCourse }) {
  return (
    <div className="player__head row">
      <BackLink href={course.learnHref} text={course.name} />
      <div className="player__progress">
        <CourseProgress name={course.name} {...course.status} />
      </div>
      <div className="player__tools row">
        <button type="button" className="button button--quiet player__toggle" popoverTarget="course-outline">
          <Icon name="menu" />
          Outline
        </button>
        <OnYourPhone />
      </div>
    </div>
  );
}
