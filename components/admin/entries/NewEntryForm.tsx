import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { createEntry } from '../../api/admin/categories';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import type { EntryKind } from './entryKinds';

type NewEntryFormProps = { kind: EntryKind; backHref: string };

/** Begins a category or an instructor: a name, of which the short one is made. */
export function NewEntryForm({ kind: { list, noun }, backHref }: NewEntryFormProps) {
  const id = useId();
  const navigate = useNavigate();
  const form = useCallForm(({ name }: { name: string }) => createEntry(list, name), {
    read: (data) => ({ name: textOf(data, 'name') }),
    check: ({ name }) => errorsOf({ name: !name && 'Enter a name.' }),
    draft: `new-${backHref}`,
    onSuccess: ({ id: key }) => navigate(`${backHref}/${key}`),
  });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        id={`${id}-name`}
        name="name"
        label="Name"
        hint="The short name is made of it, and never changes: addresses contain it."
        maxLength={255}
        required
        error={form.errors.name}
      />
      <Button isBusy={form.isBusy} busyText="Creating…">
        {`Create ${noun}`}
      </Button>
    </form>
  );
}
