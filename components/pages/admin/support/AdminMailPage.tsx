import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminMailPage(props: ListPageProps) {
  return <ListView {...props} />;
}
