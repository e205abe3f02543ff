import { type FormEvent, useEffect, useRef } from 'react';
import { returnFocus } from '../../browser/focus';
import type { FilterField, TableProps } from '../../contracts/schema';
import { Icon } from '../Icon';

type TableControlsProps = { table: TableProps; id: string };

export function hasControls({ filters, sorts, columnChoices }: TableProps): boolean {
  return filters.length + sorts.length + columnChoices.length > 0;
}

/**
 * Filters, order and columns as one form that leads to the list they choose. Above the table where there is room, a
 * sheet on narrow screens. Without script the button applies; with it a choice does by itself.
 */
export function TableControls({ table, id }: TableControlsProps) {
  const { path, filters, sorts, columns, columnChoices } = table;
  const [first] = columns;
  // Another state of the list has other values in its fields.
  const state = JSON.stringify([filters, sorts, columnChoices]);
  const applyChoice = useApplyOnChange(state);
  const isOrderAlone = filters.length + columnChoices.length === 0;
  return (
    <form
      key={state}
      id={id}
      className={isOrderAlone ? 'table__controls table__controls--order' : 'table__controls'}
      method="get"
      action={path}
      data-navigate=""
      popover="auto"
      onChange={applyChoice}
      onSubmit={({ currentTarget }) => currentTarget.hidePopover?.()}
      aria-label={`Filters of ${table.caption}`}
    >
      {filters.map((filter) => (
        <Field key={filter.name} filter={filter} id={`${id}-${filter.name}`} />
      ))}
      {sorts.length > 0 && (
        <div className="field table__order">
          <label className="field__label" htmlFor={`${id}-sort`}>
            Sort by
          </label>
          <select
            className="field__input"
            id={`${id}-sort`}
            name="sort"
            defaultValue={sorts.find(({ selected }) => selected)?.value}
          >
            {sorts.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      )}
      {columnChoices.length > 0 && (
        <details className="table__columns">
          <summary className="table__summary">
            <Icon name="sliders" />
            Columns
          </summary>
          <fieldset className="table__choices">
            <legend className="sr-only">Columns to show</legend>
            {/* Without one the list would show its usual columns. */}
            <input type="hidden" name="columns" value={first?.key} />
            {columnChoices.map(({ key, label, selected }) => (
              <label key={key} className="table__box">
                <input type="checkbox" name="columns" value={key} defaultChecked={selected} />
                {label}
              </label>
            ))}
          </fieldset>
        </details>
      )}
      <button type="submit" className="button table__apply">
        Apply
      </button>
    </form>
  );
}

function Field({ filter: { name, label, kind, value, options }, id }: { filter: FilterField; id: string }) {
  return (
    <div className={`field table__field table__field--${kind}`}>
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {kind === 'choice' ? (
        <select className="field__input" id={id} name={name} defaultValue={value}>
          <option value="">Any</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="field__input"
          id={id}
          name={name}
          type={kind === 'day' ? 'date' : 'search'}
          defaultValue={value}
          maxLength={kind === 'search' ? 100 : undefined}
        />
      )}
    </div>
  );
}

/** Opens the sheet on narrow screens. */
export function ControlsButton({ id, active }: { id: string; active: number }) {
  return (
    <button type="button" className="table__open button button--quiet" popoverTarget={id}>
      <Icon name="sliders" />
      {active > 0 ? `Filters and columns (${active})` : 'Filters and columns'}
    </button>
  );
}

/**
 * A choice of the form applies at once, and the focus returns to its field when the list is there. On narrow screens,
 * where the form is a sheet, and for texts and days, the button applies. `state` names what the list shows.
 */
function useApplyOnChange(state: string): (event: FormEvent<HTMLFormElement>) => void {
  const changed = useRef('');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect does not read `state`, but has to run after it changes, because React then has put new fields in the place of the one that had the focus
  useEffect(() => {
    if (changed.current) returnFocus(changed.current);
    changed.current = '';
  }, [state]);

  return ({ target, currentTarget }) => {
    if (!(target instanceof HTMLSelectElement) || isSheet(currentTarget)) return;
    changed.current = target.id;
    currentTarget.requestSubmit();
  };
}

function isSheet(form: HTMLFormElement): boolean {
  return 'popover' in form && form.matches(':popover-open');
}
