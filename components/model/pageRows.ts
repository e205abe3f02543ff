import table from '../../contracts/routes.json';

/** The columns that the browser needs. The build leaves out the others and unserved pages: ssr/build/plugins.mjs. */
type PageRow = Pick<(typeof table.pages)[number], 'id' | 'layout' | 'server_rendered' | 'served'>;

export const PAGE_ROWS: readonly PageRow[] = table.pages;
