import { EntryListPage } from '../../admin/entries/EntryPages';
import { INSTRUCTOR } from '../../admin/entries/entryKinds';
import type { ListPageProps } from '../../contracts/schema';

export function AdminInstructorsPage(props: ListPageProps) {
  return <EntryListPage kind={INSTRUCTOR} {...props} />;
}
