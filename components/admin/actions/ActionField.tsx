import { useEffect, useRef, useState } from 'react';
import { optionsNamed } from '../../api/admin/actions';
import { moveFocus } from '../../browser/focus';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormError } from '../../forms/call/FormError';
import { DateField } from '../../forms/DateField';
import { FieldError } from '../../forms/FieldShell';
import { MoneyField } from '../../forms/MoneyField';
import { Picker, type PickerOption } from '../../forms/Picker';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { type Field, linesOf, namesField, ZONE } from './fieldValues';
import { ProductLinesField } from './ProductLinesField';

type ActionFieldProps = {
  field: Field;
  id: string;
  error: string | undefined;
  /** An editor's field is that of what is stored: a choice has no empty one before it. */
  isEditor: boolean;
};

/** A field of an action, by its kind. Of one that nobody sees, its error is seen. */
export function ActionField({ field, id, error, isEditor }: ActionFieldProps) {
  const { name, label, kind, hint, isRequired, maxLength, value, options, href, rows } = field;
  const { picked = [], source = '' } = field;
  const shared = { id, name, label, error, hint: hint || undefined, required: isRequired };
  switch (kind) {
    case 'fixed':
      return (
        <>
          <FormError text={error ?? ''} />
          <input type="hidden" name={name} value={value} />
        </>
      );
    case 'fact':
      return (
        <p className="field">
          <span className="field__label">{label}</span> <span>{value}</span>
        </p>
      );
    case 'checked':
      return (
        <CheckboxField {...{ id, name, label, error, value }} hint={href && <a href={href}>Read it</a>} />
      );
    case 'yes':
      return <CheckboxField {...{ id, name, label, error, hint }} value="yes" isChecked={value === 'yes'} />;
    case 'choice':
      return (
        <SelectField {...shared} options={options} {...((value || isEditor) && { defaultValue: value })} />
      );
    case 'choices':
      return <ChoicesField {...{ field, id, error }} />;
    case 'pick':
      return <Picker {...shared} load={optionsNamed(source)} picked={picked[0]} />;
    case 'picks':
      return <PicksField {...shared} source={source} picked={picked} />;
    case 'products':
      return <ProductLinesField {...shared} maxLength={maxLength} defaultValue={value} />;
    case 'money':
      return <MoneyField {...shared} defaultValue={value ? Number(value) : null} />;
    case 'time':
      return <DateField {...shared} zone={ZONE} defaultValue={value || null} />;
    case 'day':
      return <TextField {...shared} type="date" autoComplete="off" defaultValue={value} />;
    case 'number':
      return <TextField {...shared} inputMode="numeric" autoComplete="off" defaultValue={value} />;
    case 'percent':
      return <TextField {...shared} inputMode="decimal" autoComplete="off" defaultValue={value} />;
    default:
      return (
        <TextField
          {...shared}
          maxLength={maxLength}
          defaultValue={value}
          autoComplete="off"
          {...(kind !== 'line' && { rows: rows ?? 8 })}
        />
      );
  }
}

type ChoicesFieldProps = Pick<ActionFieldProps, 'field' | 'id' | 'error'>;

/** Some of several options. */
function ChoicesField({ field: { name, label, hint, options, values = [] }, id, error }: ChoicesFieldProps) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      className={error ? 'field field--wrong field-set' : 'field field-set'}
      aria-describedby={described || undefined}
    >
      <legend className="field__label">{label}</legend>
      {hint && (
        <p className="field__hint hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {options.map((option) => (
        <CheckboxField
          key={option.value}
          id={`${id}-${option.value}`}
          name={name}
          label={option.label}
          value={option.value}
          isChecked={values.includes(option.value)}
        />
      ))}
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

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
function PicksField({ id, name, label, hint, error, picked, source }: PicksFieldProps) {
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
