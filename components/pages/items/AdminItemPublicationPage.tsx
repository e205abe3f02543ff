import { CourseFrame } from '../../admin/courses/CourseFrame';
import { CoursePublication } from '../../admin/courses/CoursePublication';
import type { CoursePublicationProps } from '../../contracts/schema';

export function AdminItemPublicationPage(props: CoursePublicationProps) {
  return (
    <CourseFrame frame={props.frame}>
      <CoursePublication {...props} />
    </CourseFrame>
  );
}
