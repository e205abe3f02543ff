import { DetailView } from '../../admin/DetailView';
import type { DetailProps } from '../../contracts/schema';

export function AdminAuditEventPage(props: DetailProps) {
  return <DetailView {...props} />;
}
