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
import { FileRules } from './FileRules';
import { ROWS, type Rules, readImportForm, rulesOf } from './importValues';
import { useColumns } from './useColumns';

type ImportFormProps = Omit<ImportsProps, 'title' | 'table'> & { upload: Upload };

const NO_RULES: Rules = {
  kind: 'courses',
  mapping: {},
  ignored: [],
  words: {},
  decimal: '.',
  encoding: 'utf-8',
  preset: '',
};

/** How the columns of a file that is here become fields. Its check has a page of its own. */
export function ImportForm({ upload, ...props }: ImportFormProps) {
  const { courseFields, itemFields, presets, encodings, meanings } = props;
  const [key] = useState(newUuid);
  const [rules, setRules] = useState(NO_RULES);
  const { columns, error } = useColumns(upload.id, rules);
  const form = useCallForm(checkImport, {
    read: (data) => readImportForm(data, upload.id, key),
    onSuccess: ({ id }) => navigateTo(`/admin/imports/${id}`),
  });
  const fields = (rules.kind === 'items' ? itemFields : courseFields).map(({ name, isRequired }) => ({
    value: name,
    label: isRequired ? `${name} (required)` : name,
  }));
  return (
    <form
      className="import-form"
      {...form.formProps}
      onChange={(event) => {
        setRules(rulesOf(new FormData(event.currentTarget)));
      }}
    >
      <FormStatus form={form} />
      <FileRules presets={presets} encodings={encodings} />
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
      <ColumnFields columns={columns} fields={fields} meanings={meanings} error={error} />
      <Button isBusy={form.isBusy} busyText="Starting…">
        Check the file
      </Button>
    </form>
  );
}
