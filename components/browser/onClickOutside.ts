/**
 * Calls back on Esc, and when something outside the element is pressed or focused; returns a function that stops it.
 */
export function onClickOutside(element: HTMLElement, callback: (isKey: boolean) => void): () => void {
  const onPress = (event: Event) => {
    if (event.target instanceof Node && !element.contains(event.target)) callback(false);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') callback(true);
  };
  document.addEventListener('pointerdown', onPress);
  document.addEventListener('focusin', onPress);
  document.addEventListener('keydown', onKey);
  return () => {
    document.removeEventListener('pointerdown', onPress);
    document.removeEventListener('focusin', onPress);
    document.removeEventListener('keydown', onKey);
  };
}
