import { CourseFrame } from '../../admin/courses/CourseFrame';
import { ItemTextsForm } from '../../admin/items/ItemTextsForm';
import type { ItemTextsProps } from '../../contracts/schema';
import { RichText } from '../../ui/RichText';

export function AdminItemPage(props: ItemTextsProps) {
  return (
    <CourseFrame frame={props.frame}>
      {props.mayEdit ? (
        <ItemTextsForm {...props} />
      ) : (
        <RichText className="prose" html={props.descriptionHtml || '<p>It has no description.</p>'} />
      )}
    </CourseFrame>
  );
}
