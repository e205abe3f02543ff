import { NewEntryPage } from '../../admin/entries/EntryPages';
import { CATEGORY } from '../../admin/entries/entryKinds';
import type { NewEntryProps } from '../../contracts/schema';

export function AdminCategoryNewPage(props: NewEntryProps) {
  return <NewEntryPage kind={CATEGORY} {...props} />;
}
