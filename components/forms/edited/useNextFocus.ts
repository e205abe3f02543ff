import { type RefObject, useEffect, useRef } from 'react';

type NextFocus<E extends HTMLElement> = { ref: RefObject<E | null>; focusOn: (name: string) => void };

/**
 * Gives the focus to the element with this `data-focus` inside `ref`, once it is there: what was added comes with the next
 * render, and an element that React moves loses its focus.
 */
export function useNextFocus<E extends HTMLElement>(): NextFocus<E> {
  const ref = useRef<E>(null);
  const nextName = useRef<string | null>(null);
  useEffect(() => {
    if (!nextName.current) return;
    ref.current?.querySelector<HTMLElement>(`[data-focus="${nextName.current}"]`)?.focus();
    nextName.current = null;
  });
  return {
    ref,
    focusOn: (name) => {
      nextName.current = name;
    },
  };
}
