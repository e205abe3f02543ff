/** Gives the focus a place when what had it has left the page; elsewhere it stays. */
export function rescueFocus(place: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) place?.focus();
}
