import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function AdminBulkPage(props: ListPageProps) {
  return <ListView {...props} />;
}
