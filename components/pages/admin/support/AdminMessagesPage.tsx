import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminMessagesPage(props: ListPageProps) {
  return <ListView {...props} />;
}
