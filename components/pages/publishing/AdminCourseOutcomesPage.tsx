import { CourseFrame } from '../../admin/courses/CourseFrame';
import { CourseListsForm } from '../../admin/courses/CourseListsForm';
import type { CourseListsProps } from '../../contracts/schema';

export function AdminCourseOutcomesPage(props: CourseListsProps) {
  const { frame, fields, mayEdit } = props;
  return (
    <CourseFrame frame={frame}>
      {mayEdit ? (
        <CourseListsForm key={frame.courseId} {...props} />
      ) : (
        <pre className="area-text">{Object.values(fields).filter(Boolean).join('\n\n')}</pre>
      )}
    </CourseFrame>
  );
}
