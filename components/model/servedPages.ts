import { PAGE_ROWS, rowAt } from './pageRows';

const served = new Set(PAGE_ROWS.filter((page) => page.served !== false).map((page) => page.id));
const serverRendered = new Set(PAGE_ROWS.filter((page) => page.server_rendered).map((page) => page.id));

/** Pages of later issues answer 404; they are not linked until their row says that they are served. */
export function isServed(id: string): boolean {
  return served.has(id);
}

/** Pages that wait for the authentication check: all the table does not call server-rendered. */
export function requiresAuthCheck(id: string): boolean {
  return PAGE_ROWS.some((page) => page.id === id) && !serverRendered.has(id);
}

/** The id of the page at a path; undefined: the path is no page. */
export const pageIdAt = (pathname: string) => rowAt(PAGE_ROWS, pathname)?.id;
