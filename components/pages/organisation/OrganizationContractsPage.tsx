import { DetailView } from '../../admin/DetailView';
import type { DetailProps } from '../../contracts/schema';

export function OrganizationContractsPage(props: DetailProps) {
  return <DetailView {...props} />;
}
