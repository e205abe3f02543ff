import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

export function OrganizationMembersPage(props: ListPageProps) {
  return <ListView {...props} />;
}
