import { markStale } from './builds';
import type { PageData } from './pageProps';

/** The address has moved: the browser goes there instead. */
export type Moved = { location: string };
type Kept = { at: number; data: Promise<PageData | Moved> };

// Coming back to a page shows what was seen; a page not looked at for this long is fetched anew.
const FRESH_MS = 5 * 60_000;
const INTENT_FRESH_MS = 30_000;
const MOST = 30;
// Longer than the host's own limits: past it the browser says so instead of waiting for ever.
const DEADLINE_MS = 15_000;

const kept = new Map<string, Kept>();

export function keepPage(address: string, data: PageData): void {
  remember(address, Promise.resolve(data));
}

/**
 * Data of the page at `address` (path and query). Coming back (`isReturn`) shows what was seen; a new visit asks
 * again unless the pointer just announced it. Rejects when no answer can be had.
 */
export function getPage(address: string, build: string, isReturn: boolean): Promise<PageData | Moved> {
  const known = kept.get(address);
  const fresh = isReturn ? FRESH_MS : INTENT_FRESH_MS;
  return known && Date.now() - known.at < fresh ? known.data : remember(address, fetchPage(address, build));
}

function remember(address: string, data: Promise<PageData | Moved>): Promise<PageData | Moved> {
  kept.delete(address);
  kept.set(address, { at: Date.now(), data });
  data.catch(() => {
    // A later answer for the same address stays.
    if (kept.get(address)?.data === data) kept.delete(address);
  });
  const oldest = kept.keys().next().value;
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
  return data;
}

async function fetchPage(address: string, build: string): Promise<PageData | Moved> {
  const response = await fetch(`/data${address}`, {
    headers: { Accept: 'application/json' },
    credentials: 'same-origin',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const answeredBy = response.headers.get('X-Build');
  if (answeredBy !== null && answeredBy !== build) markStale();
  return (await response.json()) as PageData | Moved;
}
