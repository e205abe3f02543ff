import { type RefObject, useEffect, useRef } from 'react';
import { restoreFocus } from '../browser/focus';

/**
 * For a heading above a list: takes the focus when the focused entry is removed. `count` is the number of entries.
 */
export function useRestoredFocus<T extends HTMLElement>(count: number): RefObject<T | null> {
  const heading = useRef<T>(null);
  const previous = useRef(count);
  useEffect(() => {
    if (count < previous.current) restoreFocus(heading.current);
    previous.current = count;
  }, [count]);
  return heading;
}
