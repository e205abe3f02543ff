import { ActionForm } from '../../admin/actions/ActionForm';
import { CourseFrame } from '../../admin/courses/CourseFrame';
import type { ItemDeliveryProps } from '../../contracts/schema';

export function AdminItemDeliveryPage({ frame, form, text }: ItemDeliveryProps) {
  return (
    <CourseFrame frame={frame}>
      {form ? <ActionForm key={frame.courseId} action={form} /> : <p>{text}</p>}
    </CourseFrame>
  );
}
