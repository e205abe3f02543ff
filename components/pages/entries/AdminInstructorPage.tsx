import { EntryPage } from '../../admin/entries/EntryPages';
import { INSTRUCTOR } from '../../admin/entries/entryKinds';
import type { EntryEditProps } from '../../contracts/schema';

export function AdminInstructorPage(props: EntryEditProps) {
  return <EntryPage kind={INSTRUCTOR} {...props} />;
}
