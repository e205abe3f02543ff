import { ActionView } from '../../../admin/actions/ActionView';
import type { ActionPageProps } from '../../../contracts/schema';

export function AdminMailOnePage(props: ActionPageProps) {
  return <ActionView {...props} />;
}
