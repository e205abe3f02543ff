import type { DashboardCourse } from '../../contracts/schema';
import { LearningPart } from '../LearningPart';
import { CourseRow } from './CourseRow';

type MyCoursesProps = { courses: DashboardCourse[]; hasMore: boolean };

export function MyCourses({ courses, hasMore }: MyCoursesProps) {
  const link = hasMore ? { href: '/user-dashboard?list=courses', text: 'All my courses' } : null;
  return (
    <LearningPart title="My courses" link={link}>
      <CourseRows courses={courses} heading="h3" />
    </LearningPart>
  );
}

type CourseRowsProps = { courses: DashboardCourse[]; heading: 'h2' | 'h3' };

export function CourseRows({ courses, heading }: CourseRowsProps) {
  return (
    <ul className="course-rows stack">
      {courses.map((course) => (
        <CourseRow key={course.id} course={course} heading={heading} />
      ))}
    </ul>
  );
}
