import type { ImportsProps } from '../../contracts/schema';
import { SelectField } from '../../forms/SelectField';

/** Who wrote the file, what its rows are, and how it is written. A preset also chooses the kind of rows. */
export function FileRules({ presets, encodings }: Pick<ImportsProps, 'presets' | 'encodings'>) {
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
