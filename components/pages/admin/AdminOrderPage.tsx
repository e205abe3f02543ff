import { DetailView } from '../../admin/DetailView';
import type { DetailProps } from '../../contracts/schema';

export function AdminOrderPage(props: DetailProps) {
  return <DetailView {...props} />;
}
