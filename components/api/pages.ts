import { currentAddress } from '../browser/address';
import { documentRequestId } from '../browser/pageState';
import { currentSession, subscribe } from '../browser/session/session';
import type { PageData, PageRedirect } from '../contracts/schema';
import { markStale } from './builds';
import { requestHeaders } from './client';

type CachedPage = { at: number; data: Promise<PageData | PageRedirect> };

// Going back shows the cached page; after this time it is fetched again.
const MAX_AGE_MS = 5 * 60_000;
const INTENT_MAX_AGE_MS = 30_000;
const MAX_PAGES = 30;
// Longer than the host's own limits. After it the visitor sees an error instead of waiting.
const TIMEOUT_MS = 15_000;

const cache = new Map<string, CachedPage>();

const requestIds = new WeakMap<object, string>();
let current: PageData | undefined;

/** The page that client navigation has shown last. */
export function currentPage(): PageData | undefined {
  return current;
}

export function setCurrentPage(page: PageData): void {
  current = page;
}

/** The id under which the host logged the request of a page: of its data, or of the document that contained it. */
export function requestIdOf(page: PageData | undefined): string {
  return (page && requestIds.get(page)) ?? documentRequestId();
}
// What was shown to one person is not shown to the next: after sign-out, a 401, or another tab's sign-out.
subscribe(() => {
  if (!currentSession()) cache.clear();
});

/** After a change: what was fetched before it may show what it changed. */
export function forgetPages(): void {
  cache.clear();
}

export function cachePage(address: string, data: PageData): void {
  cachePromise(address, Promise.resolve(data));
}

/** Error pages are not cached: the next request may be answered with the page itself. */
function isError(data: PageData | PageRedirect): boolean {
  return !('location' in data) && data.status >= 400;
}

/**
 * Data of the page at `address` (path and query). Going back (`isReturn`) uses the cache; a new visit fetches again
 * unless the page was just prefetched. Rejects when no response arrives.
 */
export function getPage(address: string, build: string, isReturn: boolean): Promise<PageData | PageRedirect> {
  const cached = cache.get(address);
  const maxAge = isReturn ? MAX_AGE_MS : INTENT_MAX_AGE_MS;
  return cached && Date.now() - cached.at < maxAge
    ? cached.data
    : cachePromise(address, fetchPage(address, build));
}

/** The page as it is now, after a change. Rejects when no response arrives. */
export function fetchAgain(address: string, build: string): Promise<PageData | PageRedirect> {
  return cachePromise(address, fetchPage(address, build));
}

/**
 * The page on screen as it is now; null when another one is on screen by the time of the answer. Rejects when no
 * response arrives.
 */
export async function fetchShown(build: string): Promise<PageData | PageRedirect | null> {
  const shown = current;
  const page = await fetchAgain(currentAddress(), build);
  return current === shown ? page : null;
}

function cachePromise(
  address: string,
  data: Promise<PageData | PageRedirect>,
): Promise<PageData | PageRedirect> {
  cache.delete(address);
  cache.set(address, { at: Date.now(), data });
  const remove = () => {
    // A newer response for the same address stays.
    if (cache.get(address)?.data === data) cache.delete(address);
  };
  data.then((page) => isError(page) && remove(), remove);
  const oldest = cache.keys().next().value;
  if (cache.size > MAX_PAGES && oldest !== undefined) cache.delete(oldest);
  return data;
}

async function fetchPage(address: string, build: string): Promise<PageData | PageRedirect> {
  const response = await fetch(`/data${address}`, {
    headers: requestHeaders(),
    credentials: 'same-origin',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answeringBuild = response.headers.get('X-Build');
  if (answeringBuild !== null && answeringBuild !== build) markStale();
  const page = (await response.json()) as PageData | PageRedirect;
  requestIds.set(page, response.headers.get('X-Request-Id') ?? '');
  return page;
}
