import { PreviewFrame } from '../../admin/previews/PreviewFrame';
import { useSite } from '../../api/site';
import { CourseArticle } from '../../catalogue/course/CourseArticle';
import type { CoursePreviewProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';

/** The page of a course as the shop would show it now, whatever its state is. */
export function AdminCoursePreviewPage({ backHref, note, course, reviews }: CoursePreviewProps) {
  const format = formatOf(useSite());
  return (
    <PreviewFrame kind="course" backHref={backHref} note={note}>
      <CourseArticle course={course} reviews={reviews} format={format} actions={null} />
    </PreviewFrame>
  );
}
