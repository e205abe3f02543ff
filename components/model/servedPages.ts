import table from '../../routes.json';

const served = new Set(table.pages.filter((page) => page.served).map((page) => page.id));
const serverRendered = new Set(table.pages.filter((page) => page.server_rendered).map((page) => page.id));

/** Pages of later issues answer 404; nothing leads to them until their row says that they are served. */
export function isServed(id: string): boolean {
  return served.has(id);
}

/** Pages that wait for the authentication check: all the table does not call server-rendered. */
export function waitsForCheck(id: string): boolean {
  return table.pages.some((page) => page.id === id) && !serverRendered.has(id);
}
