import { ActionForm } from '../../admin/actions/ActionForm';
import { CourseFrame } from '../../admin/courses/CourseFrame';
import { CourseTextsView } from '../../admin/courses/CourseTextsView';
import type { CourseTextsProps } from '../../contracts/schema';

export function AdminCoursePage(props: CourseTextsProps) {
  const { frame, form, descriptionHtml } = props;
  return (
    <CourseFrame frame={frame}>
      {form ? (
        <ActionForm key={frame.courseId} action={form} frame="wide" html={{ description: descriptionHtml }} />
      ) : (
        <CourseTextsView {...props} />
      )}
    </CourseFrame>
  );
}
