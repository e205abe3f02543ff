import type { ImportCheck, ImportColumnsRequest } from '../../contracts/schema';

export type Rules = Omit<ImportColumnsRequest, 'uploadId'>;

/** Rows of a form: names of one field and values of another, by number. */
export const ROWS = [0, 1, 2, 3, 4, 5];

/** Before the name of a column, of the select with its field. */
export const COLUMN = 'columnField:';

/** The choice of a column that is left out. */
export const LEFT_OUT = '-';

/** Before field and word, of the input with what the word means. */
export const WORD = 'word:';

/** Pairs of fields `{key}.{n}` and `{value}.{n}` in which both are filled in. */
function pairs(data: FormData, key: string, value: string): Record<string, string> {
  const filled = ROWS.map((row) => [text(data, `${key}.${row}`), text(data, `${value}.${row}`)] as const);
  return Object.fromEntries(filled.filter(([name, content]) => name && content));
}

/** What the form says of how the file is read. */
export function rulesOf(data: FormData): Rules {
  const chosen = entries(data, COLUMN);
  return {
    kind: text(data, 'kind') === 'items' ? 'items' : 'courses',
    mapping: Object.fromEntries(chosen.filter(([, field]) => field && field !== LEFT_OUT)),
    ignored: chosen.filter(([, field]) => field === LEFT_OUT).map(([column]) => column),
    words: wordsOf(data),
    decimal: text(data, 'decimal') === ',' ? ',' : '.',
    encoding: (text(data, 'encoding') || 'utf-8') as Rules['encoding'],
    preset: text(data, 'preset'),
  };
}

/** Inputs `word:{field}:{word}`: what words of a field mean, of those for which it was said. */
function wordsOf(data: FormData): Record<string, Record<string, string>> {
  const words: Record<string, Record<string, string>> = {};
  for (const [key, meaning] of entries(data, WORD)) {
    const [field = ''] = key.split(':', 1);
    if (meaning) words[field] = { ...words[field], [key.slice(field.length + 1)]: meaning };
  }
  return words;
}

/** The rest of the name and the value of the inputs whose names begin so. */
function entries(data: FormData, start: string): [string, string][] {
  const names = [...data.keys()].filter((name) => name.startsWith(start));
  return names.map((name) => [name.slice(start.length), text(data, name)]);
}

function text(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}

/** What the form asks to be checked. */
export function readImportForm(data: FormData, uploadId: number, idempotencyKey: string): ImportCheck {
  return {
    uploadId,
    ...rulesOf(data),
    constants: pairs(data, 'constantField', 'constant'),
    idempotencyKey,
  };
}
