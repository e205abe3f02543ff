import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import pickerStyles from '../../static/css/picker.css?text';
import { useStyles } from '../ui/useStyles';
import { FieldShell, fieldProps } from './FieldShell';

export type PickerOption = { value: string; text: string; detail: string };

type PickerProps = {
  id: string;
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  required?: boolean | undefined;
  /** What is picked already; it is shown by its text. */
  picked?: { value: string; text: string } | undefined;
  /** What fits a text; may reject, then the text itself is the value. */
  load: (text: string) => Promise<PickerOption[]>;
  /** Instead of keeping what was picked in the field. */
  onPick?: (option: PickerOption) => void;
};

const WAIT_MS = 150;

/**
 * One of many things, found by typing a part of its name. The form gets the value of what was picked under `name`, or
 * the text itself: what it means without a pick is for the server to say.
 */
export function Picker({ id, name, label, hint, error, required, picked, load, onPick }: PickerProps) {
  useStyles(pickerStyles);
  const text = useRef<HTMLInputElement>(null);
  const value = useRef<HTMLInputElement>(null);
  const { options, ask, close } = useOptions(load);
  const [active, setActive] = useState(0);

  function pick(option: PickerOption) {
    close();
    if (text.current) text.current.value = onPick ? '' : option.text;
    if (value.current) value.current.value = onPick ? '' : option.value;
    onPick?.(option);
    text.current?.dispatchEvent(new Event('change', { bubbles: true }));
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const chosen = options[active];
    if (options.length === 0 || !chosen) return;
    if (step) setActive((active + step + options.length) % options.length);
    else if (event.key === 'Enter') pick(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  }

  function onInput() {
    const typed = text.current?.value ?? '';
    if (value.current) value.current.value = typed.trim();
    setActive(0);
    ask(typed.trim());
  }

  const isOpen = options.length > 0;
  return (
    <FieldShell id={id} label={label} hint={hint} error={error} required={required}>
      <div className="picker">
        <input
          ref={text}
          {...fieldProps(id, error, hint && `${id}-hint`)}
          className="field__input"
          type="text"
          name={`${name}Text`}
          defaultValue={picked?.text}
          autoComplete="off"
          spellCheck={false}
          required={required}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          onInput={onInput}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {/* A text field, so that a reset of the form empties it too. */}
        <input ref={value} type="text" name={name} defaultValue={picked?.value} hidden readOnly />
        <div className="picker__list" id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen}>
          {options.map((option, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
            <div
              key={option.value}
              id={`${id}-${place}`}
              className="picker__option"
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(option)}
            >
              {option.text} <span className="muted">{option.detail}</span>
            </div>
          ))}
        </div>
      </div>
    </FieldShell>
  );
}

/** The options of the text that was asked for last. */
function useOptions(load: PickerProps['load']) {
  const [options, setOptions] = useState<PickerOption[]>([]);
  const newest = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function close() {
    newest.current += 1;
    clearTimeout(timer.current);
    setOptions([]);
  }

  async function find(text: string, request: number) {
    // Whoever types the whole value needs no list.
    const found = await load(text).catch(() => []);
    if (request === newest.current) setOptions(found);
  }

  function ask(text: string) {
    clearTimeout(timer.current);
    newest.current += 1;
    const request = newest.current;
    if (text.length < 2) setOptions([]);
    else timer.current = setTimeout(() => void find(text, request), WAIT_MS);
  }

  return { options, ask, close };
}
