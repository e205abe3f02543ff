import { type FormEvent, useEffect, useRef } from 'react';
import { returnFocus } from '../../browser/focus';

/**
 * A choice of the form applies at once, and the focus returns to its field when the list is there. On narrow screens,
 * where the form is a sheet, and for texts and days, the button applies. `state` names what the list shows.
 */
export function useApplyOnChange(state: string): (event: FormEvent<HTMLFormElement>) => void {
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
