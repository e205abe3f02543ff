import type { MouseEvent } from 'react';

/** Closes a popover after a click on a link inside it: client navigation keeps the page around it, and so its state. */
export function closeAfterLink(event: MouseEvent<HTMLElement>) {
  const panel = event.currentTarget;
  if ((event.target as Element).closest('a') && panel.hidePopover) panel.hidePopover();
}
