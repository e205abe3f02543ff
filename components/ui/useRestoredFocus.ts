import { type RefObject, useEffect, useRef } from 'react';
import { rescueFocus } from '../browser/focus';

/** For a heading above a list: takes the focus when the entry that had it is gone. `count` is how many there are. */
export function useKeptFocus<T extends HTMLElement>(count: number): RefObject<T | null> {
  const heading = useRef<T>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) rescueFocus(heading.current);
    before.current = count;
  }, [count]);
  return heading;
}
