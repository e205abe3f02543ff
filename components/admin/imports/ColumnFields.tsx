import type { ImportColumn } from '../../contracts/schema';
import { SelectField } from '../../forms/SelectField';
import { COLUMN, LEFT_OUT } from './importValues';
import { WordFields } from './WordFields';

type ColumnFieldsProps = {
  columns: ImportColumn[];
  fields: { value: string; label: string }[];
  meanings: Record<string, string[]>;
  error: string;
};

/** A select for each column of the file, with some of its values, and a warning where these do not fit. */
export function ColumnFields({ columns, fields, meanings, error }: ColumnFieldsProps) {
  return (
    <fieldset className="import-form__columns">
      <legend>Columns of the file</legend>
      <p className="hint">
        The names of common exports are known. Choose a field to read a column otherwise.
      </p>
      {error && (
        <p className="upload__error" role="alert">
          {error}
        </p>
      )}
      {columns.map(({ name, field, samples, warning, unread }, place) => (
        <div key={name}>
          <SelectField
            id={`column-${place}`}
            name={`${COLUMN}${name}`}
            label={name}
            options={[
              { value: '', label: 'As its name says' },
              { value: LEFT_OUT, label: 'Leave it out' },
              ...fields,
            ]}
            defaultValue=""
            hint={hintOf(field, samples)}
            error={warning || undefined}
          />
          {field && <WordFields field={field} words={unread} meanings={meanings[field]} />}
        </div>
      ))}
    </fieldset>
  );
}

function hintOf(field: string | null, samples: string[]): string {
  const values = samples.length > 0 ? `such as ${samples.join(' · ')}` : 'empty in the first rows';
  return `${field ? `Read as ${field}` : 'Not used'}, ${values}`;
}
