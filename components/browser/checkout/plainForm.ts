/** Sends a form as the browser would, as a new page, with one more field. */
export function postForm(form: HTMLFormElement, name: string, value: string): void {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = name;
  field.value = value;
  form.append(field);
  // The method of the form's class: a field may be called submit.
  HTMLFormElement.prototype.submit.call(form);
}

/** Moves the focus to the element of this id, and brings it into view. */
export function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}

/**
 * Calls back when the page is about to be left: before the next one is asked for, and when it replaces this one. Returns
 * a function that stops it.
 */
export function onPageLeft(callback: () => void): () => void {
  window.addEventListener('beforeunload', callback);
  window.addEventListener('pagehide', callback);
  return () => {
    window.removeEventListener('beforeunload', callback);
    window.removeEventListener('pagehide', callback);
  };
}
