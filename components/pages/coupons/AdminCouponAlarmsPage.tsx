import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function AdminCouponAlarmsPage(props: ListPageProps) {
  return <ListView {...props} />;
}
