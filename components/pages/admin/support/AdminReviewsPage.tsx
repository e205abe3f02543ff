import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminReviewsPage(props: ListPageProps) {
  return <ListView {...props} />;
}
