import { NewEntryPage } from '../../admin/entries/EntryPages';
import { INSTRUCTOR } from '../../admin/entries/entryKinds';
import type { NewEntryProps } from '../../contracts/schema';

export function AdminInstructorNewPage(props: NewEntryProps) {
  return <NewEntryPage kind={INSTRUCTOR} {...props} />;
}
