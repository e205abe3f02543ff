import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminOrganisationsPage(props: ListPageProps) {
  return <ListView {...props} />;
}
