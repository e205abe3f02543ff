import { ActionView } from '../../admin/actions/ActionView';
import type { ActionPageProps } from '../../contracts/schema';
import { EmptyState } from '../../ui/EmptyState';

export function AdminCourseNewPage(props: ActionPageProps) {
  return (
    <ActionView {...props}>
      {props.actions.length === 0 && (
        <EmptyState
          title="No categories yet"
          text="Every course is in one category: it needs the first one before the first course."
          links={[{ href: '/admin/categories/new', text: 'Create the first category' }]}
        />
      )}
    </ActionView>
  );
}
