import { CourseFrame } from '../../admin/courses/CourseFrame';
import { CourseTextsForm } from '../../admin/courses/CourseTextsForm';
import { CourseTextsView } from '../../admin/courses/CourseTextsView';
import type { CourseTextsProps } from '../../contracts/schema';

export function AdminCoursePage(props: CourseTextsProps) {
  const { frame, mayEdit } = props;
  return (
    <CourseFrame frame={frame}>
      {mayEdit ? <CourseTextsForm key={frame.courseId} {...props} /> : <CourseTextsView {...props} />}
    </CourseFrame>
  );
}
