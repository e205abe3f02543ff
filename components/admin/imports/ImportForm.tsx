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
import { ROWS, readImportForm } from './importValues';

type ImportFormProps = Pick<ImportsProps, 'courseFields' | 'itemFields'> & { upload: Upload };

/** How the columns of a file that is here become fields. Its check has a page of its own. */
export function ImportForm({ upload, courseFields, itemFields }: ImportFormProps) {
  const [key] = useState(newUuid);
  const [kind, setKind] = useState('courses');
  const form = useCallForm(checkImport, {
    read: (data) => readImportForm(data, upload.id, key),
    onSuccess: ({ id }) => navigateTo(`/admin/imports/${id}`),
  });
  const fields = (kind === 'items' ? itemFields : courseFields).map(({ name, isRequired }) => ({
    value: name,
    label: isRequired ? `${name} (required)` : name,
  }));
  return (
    <form
      className="import-form"
      {...form.formProps}
      onChange={(event) => {
        setKind(String(new FormData(event.currentTarget).get('kind')));
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
      <details>
        <summary>Columns with other names</summary>
        <p className="hint">
          The names of common exports are known. Name a column here to read it as a field.
        </p>
        {ROWS.map((row) => (
          <div key={row} className="import-form__pair">
            <TextField id={`column-${row}`} name={`column.${row}`} label={`Column ${row + 1}`} />
            <SelectField
              id={`column-field-${row}`}
              name={`columnField.${row}`}
              label={`Is field ${row + 1}`}
              options={fields}
            />
          </div>
        ))}
      </details>
      <Button isBusy={form.isBusy} busyText="Starting…">
        Check the file
      </Button>
    </form>
  );
}
