import type { LearningCourse } from '../../contracts/schema';
import { BackLink } from '../BackLink';
import { nextLessonId } from '../nextLesson';
import { useCourse } from '../state/useKnownProgress';
import { Outline } from './Outline';

type MissingLessonProps = { course: LearningCourse; message: string };

/** A lesson that is not part of the course, in the course's frame. */
export function MissingLesson({ course: onPage, message }: MissingLessonProps) {
  const course = useCourse(onPage);
  return (
    <div className="learning learning--narrow stack">
      <header>
        <BackLink href={course.learnHref} text={course.name} />
        <h1>This lesson is not here</h1>
        <p className="muted">{message}</p>
      </header>
      <Outline course={course} sections={course.sections} nextId={nextLessonId(course)} isWide />
    </div>
  );
}
