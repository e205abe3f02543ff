import type { ImportCheck } from '../../contracts/schema';

/** Rows of a form: names of one field and values of another, by number. */
export const ROWS = [0, 1, 2, 3, 4, 5];

/** Before the name of a column, of the select with its field. */
export const COLUMN = 'columnField:';

/** Pairs of fields `{key}.{n}` and `{value}.{n}` in which both are filled in. */
function pairs(data: FormData, key: string, value: string): Record<string, string> {
  const filled = ROWS.map((row) => [text(data, `${key}.${row}`), text(data, `${value}.${row}`)] as const);
  return Object.fromEntries(filled.filter(([name, content]) => name && content));
}

/** Selects `columnField:{column}`: the field of each column of which one was chosen. */
export function mappingOf(data: FormData): Record<string, string> {
  const chosen = [...data.keys()].filter((name) => name.startsWith(COLUMN));
  return Object.fromEntries(
    chosen.map((name) => [name.slice(COLUMN.length), text(data, name)] as const).filter(([, field]) => field),
  );
}

function text(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}

/** What the form asks to be checked. */
export function readImportForm(data: FormData, uploadId: number, idempotencyKey: string): ImportCheck {
  return {
    uploadId,
    kind: text(data, 'kind') === 'items' ? 'items' : 'courses',
    mapping: mappingOf(data),
    constants: pairs(data, 'constantField', 'constant'),
    idempotencyKey,
  };
}
