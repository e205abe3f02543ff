import { CourseRecords } from '../../admin/courses/CourseRecords';
import type { CourseRecordsProps } from '../../contracts/schema';

export function AdminCourseHistoryPage(props: CourseRecordsProps) {
  return <CourseRecords {...props} />;
}
