import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function AdminRetiredPage(props: ListPageProps) {
  return <ListView {...props} />;
}
