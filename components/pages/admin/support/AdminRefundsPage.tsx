import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminRefundsPage(props: ListPageProps) {
  return <ListView {...props} />;
}
