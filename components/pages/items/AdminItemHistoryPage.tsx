import { CourseRecords } from '../../admin/courses/CourseRecords';
import type { CourseRecordsProps } from '../../contracts/schema';

export function AdminItemHistoryPage(props: CourseRecordsProps) {
  return <CourseRecords {...props} />;
}
