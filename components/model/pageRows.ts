import table from '../../contracts/routes.json';

/**
 * The columns that the browser needs. The build leaves out the others, pages that are not served, and what is the usual
 * value of a column, as here: ssr/build/plugins.mjs.
 */
type PageRow = {
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

export const PAGE_ROWS: readonly PageRow[] = table.pages;
