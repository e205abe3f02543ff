import type { MouseEvent } from 'react';

/** Closes the sheet that the element is in; where there is room, it is none. */
export function closeSheet(element: Element): void {
  element.closest<HTMLElement>('[popover]')?.hidePopover?.();
}

/** For a sheet of links: the page that one of them leads to is seen at once, also where it is the same page. */
export function closeAfterLink({ target }: MouseEvent): void {
  if (target instanceof Element && target.closest('a')) closeSheet(target);
}
