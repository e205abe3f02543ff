/** Scrolls `panel` so that an element inside it is in its middle. The page does not move. */
export function showInside(panel: HTMLElement, element: HTMLElement): void {
  const { top, height } = element.getBoundingClientRect();
  const box = panel.getBoundingClientRect();
  panel.scrollTop += top - box.top - (box.height - height) / 2;
}

/** Moves the focus from the page's content, where a client navigation has put it, to the heading of what it shows. */
export function focusHeading(heading: HTMLElement | null): void {
  if (document.activeElement?.id === 'main') heading?.focus({ preventScroll: true });
}
