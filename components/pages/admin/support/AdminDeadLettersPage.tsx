import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminDeadLettersPage(props: ListPageProps) {
  return <ListView {...props} />;
}
