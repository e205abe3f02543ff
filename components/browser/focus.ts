/** Moves the focus to the fallback when the focused element has left the page; otherwise the focus stays. */
export function restoreFocus(fallback: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) fallback?.focus();
}

/** Moves the focus from the page's content, where a client navigation has put it, to the heading of what it shows. */
export function focusHeading(heading: HTMLElement | null): void {
  if (document.activeElement?.id === 'main') heading?.focus({ preventScroll: true });
}
