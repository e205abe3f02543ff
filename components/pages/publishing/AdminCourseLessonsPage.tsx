import { CourseFrame } from '../../admin/courses/CourseFrame';
import { OutlineEditor } from '../../admin/lessons/OutlineEditor';
import { OutlineView } from '../../admin/lessons/OutlineView';
import type { CourseOutlineProps } from '../../contracts/schema';

export function AdminCourseLessonsPage(props: CourseOutlineProps) {
  return (
    <CourseFrame frame={props.frame}>
      {props.mayEdit ? (
        <OutlineEditor key={props.frame.courseId} {...props} />
      ) : (
        <OutlineView outline={props.outline} effects={props.effects} />
      )}
    </CourseFrame>
  );
}
