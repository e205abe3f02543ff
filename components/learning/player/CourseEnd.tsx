import type { LearningCourse } from '../../contracts/schema';
import { Notice } from '../../ui/Notice';
import { endHref } from '../lessonHref';
import { MissingLessons, missingLessons } from '../MissingLessons';

type CourseEndProps = { course: LearningCourse; lessonId: number };

/** After the last lesson, and once the course is completed: that it is, or what is missing, each linked. */
export function CourseEnd({ course, lessonId }: CourseEndProps) {
  const missing = missingLessons(course).filter(({ id }) => id !== lessonId);
  if (course.status.isComplete)
    return (
      <Notice title="You have completed this course">
        <p>
          <a href={endHref(course)}>
            {course.hasCertificate ? 'See your certificate and what comes next' : 'See what comes next'}
          </a>
        </p>
      </Notice>
    );
  if (missing.length === 0) return null;
  return (
    <Notice title="This was the last lesson. What is still missing:">
      <MissingLessons course={course} lessons={missing} />
    </Notice>
  );
}
