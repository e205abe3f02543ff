import { ProductList } from '../../admin/bulk/ProductList';
import type { ListPageProps } from '../../contracts/schema';

export function AdminCoursesPage(props: ListPageProps) {
  return (
    <ProductList
      {...props}
      kind="course"
      actions={
        <a className="button" href="/admin/courses/new">
          New course
        </a>
      }
    />
  );
}
