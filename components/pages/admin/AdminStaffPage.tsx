import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function AdminStaffPage(props: ListPageProps) {
  return (
    <ListView
      {...props}
      actions={
        <a className="button" href="/admin/staff/new">
          Give somebody a role
        </a>
      }
    />
  );
}
