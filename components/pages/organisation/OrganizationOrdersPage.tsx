import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function OrganizationOrdersPage(props: ListPageProps) {
  return <ListView {...props} />;
}
