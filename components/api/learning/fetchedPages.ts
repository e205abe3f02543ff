import { watchPageLinks } from '../../browser/progress/pageLinks';
import { currentSession, subscribe } from '../../browser/session/session';
import type { PageData } from '../../contracts/schema';
import { cachePage, getPage } from '../pages';

// Pages of the learner that were fetched: in memory alone, so that nothing of them stays on a shared device.
const fetched = new Map<string, PageData>();
const MAX_PAGES = 40;

subscribe(() => {
  if (!currentSession()) fetched.clear();
});

export function rememberPage(address: string, page: PageData): void {
  fetched.delete(address);
  fetched.set(address, page);
  const oldest = fetched.keys().next().value;
  if (fetched.size > MAX_PAGES && oldest !== undefined) fetched.delete(oldest);
}

/** Fetches a page that its learner will most likely open next. Reading it marks nothing as opened. */
export async function prefetchPage(address: string, build: string): Promise<void> {
  try {
    const page = await getPage(address, build, false);
    if (!('location' in page) && page.status < 400) rememberPage(address, page);
  } catch {
    // It is fetched again when it is opened.
  }
}

/** Without a connection, links to fetched pages open these; `onRefused` is called for the others. */
export function openOffline(path: string, onRefused: () => void): () => void {
  return watchPageLinks(path, (address) => {
    const page = fetched.get(address);
    if (page) cachePage(address, page);
    else onRefused();
    return page !== undefined;
  });
}
