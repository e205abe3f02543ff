import { ActionView } from '../../admin/actions/ActionView';
import type { ActionPageProps } from '../../contracts/schema';

export function AdminCouponPage(props: ActionPageProps) {
  return <ActionView {...props} isFolded />;
}
