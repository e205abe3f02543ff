import { useState } from 'react';
import { checkImport } from '../../api/admin/imports';
import { navigateTo } from '../../browser/navigation';
import type { ImportsProps, Upload } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { ColumnFields } from './ColumnFields';
import { mappingOf, ROWS, readImportForm } from './importValues';
import { type Choice, useColumns } from './useColumns';

type ImportFormProps = Pick<ImportsProps, 'courseFields' | 'itemFields'> & { upload: Upload };

/** How the columns of a file that is here become fields. Its check has a page of its own. */
export function ImportForm({ upload, courseFields, itemFields }: ImportFormProps) {
  const [key] = useState(newUuid);
  const [choice, setChoice] = useState<Choice>({ kind: 'courses', mapping: {} });
  const { columns, error } = useColumns(upload.id, choice);
  const form = useCallForm(checkImport, {
    read: (data) => readImportForm(data, upload.id, key),
    onSuccess: ({ id }) => navigateTo(`/admin/imports/${id}`),
  });
  const fields = (choice.kind === 'items' ? itemFields : courseFields).map(({ name, isRequired }) => ({
    value: name,
    label: isRequired ? `${name} (required)` : name,
  }));
  return (
    <form
      className="import-form"
      {...form.formProps}
      onChange={(event) => {
        const data = new FormData(event.currentTarget);
        setChoice({ kind: data.get('kind') === 'items' ? 'items' : 'courses', mapping: mappingOf(data) });
      }}
    >
      <FormStatus form={form} />
      <SelectField
        id="import-kind"
        name="kind"
        label="The rows are"
        options={[
          { value: 'courses', label: 'Courses' },
          { value: 'items', label: 'Shop items' },
        ]}
        defaultValue="courses"
      />
      <details>
        <summary>Values for rows that have none</summary>
        <p className="hint">For what the file lacks, such as a category or a price.</p>
        {ROWS.map((row) => (
          <div key={row} className="import-form__pair">
            <SelectField
              id={`constant-field-${row}`}
              name={`constantField.${row}`}
              label={`Field ${row + 1}`}
              options={fields}
            />
            <TextField id={`constant-${row}`} name={`constant.${row}`} label={`Value ${row + 1}`} />
          </div>
        ))}
      </details>
      <ColumnFields columns={columns} fields={fields} error={error} />
      <Button isBusy={form.isBusy} busyText="Starting…">
        Check the file
      </Button>
    </form>
  );
}
