/** Add a line to the text of a textarea, as if it had been typed: a form that keeps what is typed keeps it too. */
export function addLine(id: string, line: string) {
  const lines = document.getElementById(id);
  if (!(lines instanceof HTMLTextAreaElement)) return;
  lines.value = [lines.value.trimEnd(), line].filter(Boolean).join('\n');
  lines.dispatchEvent(new Event('input', { bubbles: true }));
}
