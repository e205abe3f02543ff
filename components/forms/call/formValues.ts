import type { FieldErrors } from './callOutcome';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** Texts of fields by name; of checkboxes and radio buttons those that are chosen. */
export type FieldTexts = Record<string, string[]>;

// Never stored, and of no use in another page.
const SECRET_TYPES = /^(?:password|hidden|file|submit|button|reset)$/;

/** The text of a field, without blanks around it. */
export function textOf(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}

/** The fields that have an error text. */
export function errorsOf(texts: Record<string, string | false>): FieldErrors {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as FieldErrors;
}

/** What is typed and chosen, without secrets: passwords, codes and what the browser must not complete. */
export function fieldTexts(form: HTMLFormElement): FieldTexts {
  const texts: FieldTexts = {};
  for (const field of fieldsOf(form)) {
    if (SECRET_TYPES.test(field.type) || /one-time-code|^cc-/.test(field.autocomplete)) continue;
    texts[field.name] ??= [];
    if (!isChoice(field) || field.checked) texts[field.name]?.push(field.value);
  }
  return texts;
}

/** Puts texts into their fields, as if they were typed. */
export function fillForm(form: HTMLFormElement, texts: FieldTexts): void {
  for (const field of fieldsOf(form)) {
    const own = texts[field.name];
    if (!own) continue;
    if (isChoice(field)) field.checked = own.includes(field.value);
    else field.value = own[0] ?? '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Values of a call's body as texts of fields of the same names. */
export function textsOf(values: Record<string, unknown>): FieldTexts {
  const texts = (value: unknown) =>
    value === null || value === false ? [] : [value === true ? 'on' : `${value}`];
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.flatMap(texts) : texts(value),
    ]),
  );
}

/** The label of a field, and how the form shows texts in it: of a choice, the words of its options. */
export function shownField(
  form: HTMLFormElement,
  name: string,
): { label: string; show: (texts: string[]) => string } | null {
  const field = fieldsOf(form).find((candidate) => candidate.name === name);
  if (!field) return null;
  const label = field.closest('fieldset')?.querySelector('legend') ?? field.labels?.[0];
  const options = field instanceof HTMLSelectElement ? [...field.options] : [];
  const wordsOf = (text: string) => options.find(({ value }) => value === text)?.text ?? text;
  return { label: wordsIn(label), show: (texts) => texts.map(wordsOf).join(', ') };
}

/** Without the mark of required fields. */
function wordsIn(label: Element | undefined): string {
  const nodes = [...(label?.childNodes ?? [])];
  const shown = nodes.filter((node) => !(node instanceof Element && node.hasAttribute('aria-hidden')));
  return shown
    .map(({ textContent }) => textContent)
    .join('')
    .trim();
}

export function hasField(form: HTMLFormElement, name: string): boolean {
  return form.elements.namedItem(name) !== null;
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (element): element is Field =>
      'name' in element &&
      element.name !== '' &&
      'value' in element &&
      'type' in element &&
      element.tagName !== 'BUTTON',
  );
}

function isChoice(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio';
}
