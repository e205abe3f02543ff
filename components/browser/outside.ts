/** Calls back when Esc is pressed or something outside the place is pressed or gets the focus; returns the way to stop. */
export function onLeaving(place: HTMLElement, callback: (byKey: boolean) => void): () => void {
  const pressed = (event: Event) => {
    if (event.target instanceof Node && !place.contains(event.target)) callback(false);
  };
  const typed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') callback(true);
  };
  document.addEventListener('pointerdown', pressed);
  document.addEventListener('focusin', pressed);
  document.addEventListener('keydown', typed);
  return () => {
    document.removeEventListener('pointerdown', pressed);
    document.removeEventListener('focusin', pressed);
    document.removeEventListener('keydown', typed);
  };
}
