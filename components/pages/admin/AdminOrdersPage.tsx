import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function AdminOrdersPage(props: ListPageProps) {
  return <ListView {...props} />;
}
