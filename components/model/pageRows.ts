import table from '../../contracts/routes.json';

/**
 * The columns that the browser needs. The build leaves out the others, pages that are not served, and what is the usual
 * value of a column, as here: ssr/build/plugins.mjs.
 */
export type PageRow = {
  id: string;
  /** "/" and the id. */
  path?: string;
  /** "default". */
  layout?: string;
  /** False. */
  server_rendered?: boolean;
  /** True. */
  served?: boolean;
};

export const PAGE_ROWS: readonly PageRow[] = [...table.pages, ...table.own_pages];

/** The row of the page at a path. */
export function rowAt(rows: readonly PageRow[], pathname: string): PageRow | undefined {
  const parts = pathname.split('/');
  const matches = (pattern: string[]) =>
    pattern.length === parts.length &&
    pattern.every((part, at) => part.startsWith('{') || part === parts[at]);
  return rows.find(({ id, path = `/${id}` }) => matches(path.split('/')));
}
