import { CourseFrame } from '../../admin/courses/CourseFrame';
import { CoursePrices } from '../../admin/courses/CoursePrices';
import type { CoursePriceProps } from '../../contracts/schema';

export function AdminItemPricePage(props: CoursePriceProps) {
  return (
    <CourseFrame frame={props.frame}>
      <CoursePrices {...props} />
    </CourseFrame>
  );
}
