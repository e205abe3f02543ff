import { useEffect, useState } from 'react';
import { checkImport, readColumns } from '../../api/admin/imports';
import { ApiProblem } from '../../api/client';
import { navigateTo } from '../../browser/navigation';
import type { ImportColumn, ImportsProps, Upload } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { COLUMN, LEFT_OUT, ROWS, type Rules, readImportForm, rulesOf, WORD } from './importValues';

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

type Columns = { columns: ImportColumn[]; error: string };

/** The columns of the file as the rules read them; asked for again whenever a rule changes. */
function useColumns(uploadId: number, rules: Rules): Columns {
  const [found, setFound] = useState<Columns>({ columns: [], error: '' });
  const key = JSON.stringify(rules);
  useEffect(() => {
    let isCurrent = true;
    readColumns({ uploadId, ...JSON.parse(key) })
      .then(({ columns }) => isCurrent && setFound({ columns, error: '' }))
      .catch((problem: unknown) => {
        if (!(problem instanceof ApiProblem)) throw problem;
        const error = problem.errors.mapping ?? apiErrorText(problem);
        if (isCurrent) setFound(({ columns }) => ({ columns, error }));
      });
    return () => {
      isCurrent = false;
    };
  }, [uploadId, key]);
  return found;
}

type ColumnFieldsProps = {
  columns: ImportColumn[];
  fields: { value: string; label: string }[];
  meanings: Record<string, string[]>;
  error: string;
};

/** A select for each column of the file, with some of its values, and a warning where these do not fit. */
function ColumnFields({ columns, fields, meanings, error }: ColumnFieldsProps) {
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

type WordFieldsProps = { field: string; words: string[]; meanings: string[] | undefined };

/** What happens to words of these fields that are not known. */
const UNKNOWN: Record<string, string> = {
  status: 'Not known: a draft',
  published: 'Not known: a draft',
  visibility: 'Not known: a draft',
};

/** What the words of a column mean that are not known. A word stays here once its meaning is said. */
function WordFields({ field, words, meanings }: WordFieldsProps) {
  const [known, setKnown] = useState<string[]>([]);
  const added = words.filter((word) => !known.includes(word));
  if (added.length > 0) setKnown([...known, ...added]);
  return (
    <>
      {known.map((word, place) => {
        const about = {
          id: `word-${field}-${place}`,
          name: `${WORD}${field}:${word}`,
          label: `“${word}” means`,
        };
        if (!meanings) return <TextField key={word} {...about} />;
        const options = meanings.map((meaning) => ({ value: meaning, label: meaning }));
        return (
          <SelectField
            key={word}
            {...about}
            options={[{ value: '', label: UNKNOWN[field] ?? 'Leave it out' }, ...options]}
            defaultValue=""
          />
        );
      })}
    </>
  );
}

/** Who wrote the file, what its rows are, and how it is written. A preset also chooses the kind of rows. */
function FileRules({ presets, encodings }: Pick<ImportsProps, 'presets' | 'encodings'>) {
  return (
    <div
      onChange={({ target, currentTarget }) => {
        const changed: EventTarget = target;
        if (!(changed instanceof HTMLSelectElement) || changed.name !== 'preset') return;
        const preset = presets.find(({ name }) => name === changed.value);
        const kind = currentTarget.querySelector<HTMLSelectElement>('[name="kind"]');
        if (preset && kind) kind.value = preset.kind;
      }}
    >
      <SelectField
        id="import-preset"
        name="preset"
        label="The file comes from"
        options={[
          { value: '', label: 'Something else' },
          ...presets.map(({ name, label }) => ({ value: name, label })),
        ]}
        defaultValue=""
        hint="Its columns and words are known then."
      />
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
        <summary>How the file is written</summary>
        <SelectField
          id="import-decimal"
          name="decimal"
          label="Sign before decimals"
          options={[
            { value: '.', label: 'Point: 1,299.50' },
            { value: ',', label: 'Comma: 1.299,50' },
          ]}
          defaultValue="."
        />
        <SelectField
          id="import-encoding"
          name="encoding"
          label="Encoding"
          options={encodings.map((value) => ({ value, label: value }))}
          defaultValue="utf-8"
          hint="UTF-16 is known by itself. Choose another when letters look wrong or the file is refused."
        />
      </details>
    </div>
  );
}
