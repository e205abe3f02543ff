import { ActionForm } from '../../admin/actions/ActionForm';
import { CourseFrame } from '../../admin/courses/CourseFrame';
import type { CourseListsProps } from '../../contracts/schema';

export function AdminCourseOutcomesPage({ frame, form, text }: CourseListsProps) {
  return (
    <CourseFrame frame={frame}>
      {form ? (
        <ActionForm key={frame.courseId} action={form} frame="wide" />
      ) : (
        <pre className="area-text">{text}</pre>
      )}
    </CourseFrame>
  );
}
