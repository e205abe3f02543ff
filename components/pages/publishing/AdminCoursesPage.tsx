import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function AdminCoursesPage(props: ListPageProps) {
  return (
    <ListView
      {...props}
      actions={
        <a className="button" href="/admin/courses/new">
          New course
        </a>
      }
    />
  );
}
