/** Moves the focus to the fallback when the focused element has left the page; otherwise the focus stays. */
export function restoreFocus(fallback: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) fallback?.focus();
}

/** Moves the focus to the element with this id after a page was shown, unless somebody has moved it meanwhile. */
export function returnFocus(id: string): void {
  const { activeElement } = document;
  // Showing a page moves the focus to its beginning.
  if (activeElement === null || activeElement === document.body || activeElement.id === 'main')
    document.getElementById(id)?.focus({ preventScroll: true });
}

/** Moves the focus to the element with this id, because the one that had it is leaving the page. */
export function moveFocus(id: string): void {
  document.getElementById(id)?.focus();
}
