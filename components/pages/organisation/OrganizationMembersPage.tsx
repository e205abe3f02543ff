import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';
import { InviteLinks } from '../../organisation/InviteLinks';

export function OrganizationMembersPage(props: ListPageProps) {
  return <ListView {...props} actions={<InviteLinks />} />;
}
