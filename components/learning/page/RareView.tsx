import type { UserDashboardProps } from '../../contracts/schema';
import { AccessOver } from '../course/AccessOver';
import { CourseEndPage } from '../course/CourseEndPage';
import { MissingLesson } from '../course/MissingLesson';
import { NotOwned } from '../course/NotOwned';
import { WholeList } from '../dashboard/WholeList';

/** The views that few visits show: whole lists, the end of a course, and courses and lessons that are not there. */
export function RareView({ view }: { view: UserDashboardProps['learning'] }) {
  switch (view.view) {
    case 'missing-lesson':
      return <MissingLesson course={view.course} message={view.message} />;
    case 'course-end':
      return <CourseEndPage view={view} />;
    case 'not-owned':
      return <NotOwned view={view} />;
    case 'access-over':
      return <AccessOver view={view} />;
    case 'courses':
    case 'materials':
    case 'notes':
    case 'orders':
    case 'certificates':
      return <WholeList view={view} />;
    default:
      return null;
  }
}
