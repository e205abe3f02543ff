import { PAGE_ROWS } from './pageRows';

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
export function pageIdAt(pathname: string): string | undefined {
  const parts = pathname.split('/');
  const matches = (pattern: string[]) =>
    pattern.length === parts.length &&
    pattern.every((part, at) => part.startsWith('{') || part === parts[at]);
  return PAGE_ROWS.find(({ id, path = `/${id}` }) => matches(path.split('/')))?.id;
}
