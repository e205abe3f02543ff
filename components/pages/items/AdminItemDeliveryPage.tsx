import { CourseFrame } from '../../admin/courses/CourseFrame';
import { ItemDeliveryForm } from '../../admin/items/ItemDeliveryForm';
import type { ItemDeliveryProps } from '../../contracts/schema';

export function AdminItemDeliveryPage(props: ItemDeliveryProps) {
  const { fields, mayEdit } = props;
  return (
    <CourseFrame frame={props.frame}>
      {mayEdit ? (
        <ItemDeliveryForm {...props} />
      ) : (
        <p>{fields.stock === null ? 'As many as people want.' : `${fields.stock} in stock.`}</p>
      )}
    </CourseFrame>
  );
}
