import { EntryPage } from '../../admin/entries/EntryPages';
import { CATEGORY } from '../../admin/entries/entryKinds';
import type { EntryEditProps } from '../../contracts/schema';

export function AdminCategoryPage(props: EntryEditProps) {
  return <EntryPage kind={CATEGORY} {...props} />;
}
