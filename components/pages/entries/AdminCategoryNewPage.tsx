import { ActionView } from '../../admin/actions/ActionView';
import type { ActionPageProps } from '../../contracts/schema';

export function AdminCategoryNewPage(props: ActionPageProps) {
  return <ActionView {...props} />;
}
