import { useEffect, useRef, useState } from 'react';
import { optionsNamed } from '../../api/admin/actions';
import { moveFocus } from '../../browser/focus';
import { FieldError } from '../../forms/FieldShell';
import { Picker, type PickerOption } from '../../forms/Picker';
import { linesOf, namesField } from './fieldValues';

type Picked = { value: string; text: string };

type PicksFieldProps = {
  id: string;
  name: string;
  label: string;
  hint: string | undefined;
  error: string | undefined;
  picked: Picked[];
  source: string;
};

/** Several things: each found by a part of its name, in the order in which they were picked. */
export function PicksField({ id, name, label, hint, error, picked, source }: PicksFieldProps) {
  const values = useRef<HTMLTextAreaElement>(null);
  const names = useRef<HTMLTextAreaElement>(null);
  const group = useRef<HTMLFieldSetElement>(null);
  const [chosen, setChosen] = useState(picked);

  function readFields() {
    const texts = linesOf(names.current?.value ?? '');
    setChosen(
      linesOf(values.current?.value ?? '').map((value, place) => ({ value, text: texts[place] ?? value })),
    );
  }

  useEffect(() => {
    const form = group.current?.form;
    // The fields have their first values again once the event is over.
    const onReset = () => setTimeout(readFields);
    form?.addEventListener('reset', onReset);
    return () => form?.removeEventListener('reset', onReset);
  });

  function change(next: Picked[]) {
    if (!values.current || !names.current) return;
    values.current.value = next.map(({ value }) => value).join('\n');
    names.current.value = next.map(({ text }) => text).join('\n');
    setChosen(next);
    // The form keeps it as a draft.
    values.current.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function add({ value, text }: PickerOption) {
    if (!chosen.some((one) => one.value === value)) change([...chosen, { value, text }]);
  }

  function remove(value: string) {
    change(chosen.filter((one) => one.value !== value));
    // The button that was pressed is gone.
    moveFocus(`${id}-add`);
  }

  const shared = { hidden: true, readOnly: true, onInput: readFields };
  return (
    <fieldset ref={group} className={error ? 'field field--wrong field-set' : 'field field-set'}>
      <legend className="field__label">{label}</legend>
      {chosen.length > 0 && (
        <ul className="picked">
          {chosen.map(({ value, text }) => (
            <li key={value} className="picked__one">
              <span>{text}</span>
              <button type="button" className="text-button" onClick={() => remove(value)}>
                Remove<span className="sr-only">{` ${text}`}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Picker
        id={`${id}-add`}
        name={`${name}Add`}
        label={chosen.length > 0 ? 'Add another' : 'Add one'}
        hint={hint ?? 'A part of the name.'}
        load={optionsNamed(source)}
        onPick={add}
      />
      <textarea ref={values} name={name} defaultValue={linesOfPicked(picked, 'value')} {...shared} />
      <textarea
        ref={names}
        name={namesField(name)}
        defaultValue={linesOfPicked(picked, 'text')}
        {...shared}
      />
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

const linesOfPicked = (picked: Picked[], part: keyof Picked) => picked.map((one) => one[part]).join('\n');
