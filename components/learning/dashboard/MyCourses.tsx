import type { DashboardCourse } from '../../contracts/schema';
import { EmptyState } from '../../ui/EmptyState';
import { LearningPart } from '../LearningPart';
import { CourseRow } from './CourseRow';

type MyCoursesProps = { courses: DashboardCourse[]; hasMore: boolean };

export function MyCourses({ courses, hasMore }: MyCoursesProps) {
  const link = hasMore ? { href: '/user-dashboard?list=courses', text: 'All my courses' } : null;
  return (
    <LearningPart title="My courses" link={link}>
      {courses.length === 0 ? <NoCourses /> : <CourseRows courses={courses} heading="h3" />}
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

function NoCourses() {
  return (
    <EmptyState
      isSmall
      title="No courses yet"
      text="Your courses stand here with their lessons, how far you are, and what is needed to complete them."
      links={[{ href: '/shop', text: 'See all courses' }]}
    />
  );
}
