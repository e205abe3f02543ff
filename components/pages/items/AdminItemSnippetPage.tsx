import { CourseRecords } from '../../admin/courses/CourseRecords';
import type { CourseRecordsProps } from '../../contracts/schema';

export function AdminItemSnippetPage(props: CourseRecordsProps) {
  return <CourseRecords {...props} />;
}
