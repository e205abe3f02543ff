/** Puts a text into the input of this id, unless something was typed there. */
export function fillIn(id: string, text: string): void {
  const field = document.getElementById(id);
  if (field instanceof HTMLInputElement && field.value === '') field.value = text;
}
