/** Moves the focus to the fallback when the focused element has left the page; otherwise the focus stays. */
export function restoreFocus(fallback: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) fallback?.focus();
}
