import { DetailView } from '../../admin/DetailView';
import type { DetailProps } from '../../contracts/schema';

export function AdminContentPage(props: DetailProps) {
  return <DetailView {...props} />;
}
