import { ActionView } from '../../admin/actions/ActionView';
import type { ActionPageProps } from '../../contracts/schema';

/** The page of one thing that the server describes whole: what is known of it, and what can be done. */
export function ActionPage(props: ActionPageProps) {
  return <ActionView {...props} />;
}
