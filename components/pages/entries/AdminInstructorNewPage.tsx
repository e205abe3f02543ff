import { ActionView } from '../../admin/actions/ActionView';
import type { ActionPageProps } from '../../contracts/schema';

export function AdminInstructorNewPage(props: ActionPageProps) {
  return <ActionView {...props} />;
}
