/**
 * Elements of a table lose their roles in some browsers when they are not displayed as a table, as where rows are cards.
 */
export const ROLES = {
  table: { role: 'table' },
  body: { role: 'rowgroup' },
  row: { role: 'row' },
  name: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
} as const;
