import { ActionView } from '../../../admin/actions/ActionView';
import type { ActionPageProps } from '../../../contracts/schema';

export function AdminContractNewPage(props: ActionPageProps) {
  return <ActionView {...props} />;
}
