import { EntryListPage } from '../../admin/entries/EntryPages';
import { CATEGORY } from '../../admin/entries/entryKinds';
import type { ListPageProps } from '../../contracts/schema';

export function AdminCategoriesPage(props: ListPageProps) {
  return <EntryListPage kind={CATEGORY} {...props} />;
}
