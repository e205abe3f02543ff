import { currentAddress } from './address';
import { SESSION_KEYS } from './storage/storageKeys';
import { readTab, writeTab } from './storage/tabStorage';

// Specification §9: at most one reload in 10 s.
export const RELOAD_GUARD_MS = 10_000;
// Longer than a reload takes on a slow line.
const HANDOVER_MS = 15_000;

// Whether this document has counted a visit: then it has counted that of its current address.
let hasCounted = false;

export function isOnline(): boolean {
  return navigator.onLine;
}

/** Loads another address of this site in the place of this one: going back skips the current page. */
export function replaceWith(path: string): void {
  window.location.replace(path);
}

/** Loads the page on screen anew. That is no other visit: the next document is told that it is counted. */
export function reloadPage(): void {
  if (hasCounted) writeTab(SESSION_KEYS.countedVisit, `${Date.now()} ${currentAddress()}`);
  window.location.reload();
}

/**
 * Whether the visit of `address` is still to be counted: not when this document has replaced one that did. Where
 * session storage is refused it is counted twice.
 */
export function beginVisit(address: string): boolean {
  const [at, counted] = readTab(SESSION_KEYS.countedVisit)?.split(' ') ?? [];
  hasCounted = true;
  writeTab(SESSION_KEYS.countedVisit, null);
  return counted !== address || Date.now() - Number(at) >= HANDOVER_MS;
}

/**
 * Reloads after a chunk failed to load, at most once per 10 s. False: the last reload was too recent, or the browser is
 * offline and a reload would only lose the page.
 */
export function reloadOnce(): boolean {
  if (!isOnline()) return false;
  const now = Date.now();
  if (now - Number(readTab(SESSION_KEYS.lastReload)) < RELOAD_GUARD_MS) return false;
  // Without storage the time of the last reload is unknown, and reloads could repeat without end.
  if (!writeTab(SESSION_KEYS.lastReload, String(now))) return false;
  reloadPage();
  return true;
}
