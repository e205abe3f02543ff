import { ActionForm } from '../../admin/actions/ActionForm';
import { CourseFrame } from '../../admin/courses/CourseFrame';
import type { ItemTextsProps } from '../../contracts/schema';
import { RichText } from '../../ui/RichText';

export function AdminItemPage({ frame, form, descriptionHtml }: ItemTextsProps) {
  return (
    <CourseFrame frame={frame}>
      {form ? (
        <ActionForm key={frame.courseId} action={form} frame="wide" html={{ description: descriptionHtml }} />
      ) : (
        <RichText className="prose" html={descriptionHtml || '<p>It has no description.</p>'} />
      )}
    </CourseFrame>
  );
}
