import { saveEntry } from '../../api/admin/categories';
import type { CategoryChange, EntryEditProps, InstructorChange } from '../../contracts/schema';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { TextField } from '../../forms/TextField';
import { EditForm } from '../texts/EditForm';
import { useEditForm } from '../texts/useEditForm';
import type { EntryKind } from './entryKinds';

type Fields = EntryEditProps['fields'];
type EntryFormProps = { kind: EntryKind; entry: EntryEditProps };

/** What is written about a category or an instructor. */
export function EntryForm({ kind: { list, noun, inputs }, entry }: EntryFormProps) {
  const { form, field } = useEditForm(
    (values: Fields, version) =>
      saveEntry(list, entry.entryId, { ...values, version } as CategoryChange | InstructorChange),
    entry.fields,
    {
      read: (data) => Object.fromEntries(inputs.map((input) => [input.name, valueIn(data, input)])),
      check: ({ name }) => errorsOf({ name: !name && 'Enter a name.' }),
      version: entry.version,
      draft: `${noun}-${entry.entryId}`,
      saved: `The ${noun} is saved.`,
    },
  );
  return (
    <EditForm form={form} save={`Save ${noun}`}>
      {inputs.map((input) => (
        <TextField key={input.name} {...field(input.name)} {...input} />
      ))}
    </EditForm>
  );
}

function valueIn(data: FormData, { name, inputMode }: EntryKind['inputs'][number]): string | number {
  const text = textOf(data, name);
  return inputMode === 'numeric' ? Number(text.replace(/\D/g, '').slice(0, 9) || 0) : text;
}
