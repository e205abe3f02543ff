import { SESSION_KEYS } from './storage/storageKeys';

// Specification §9: at most one reload in 10 s.
export const RELOAD_GUARD_MS = 10_000;
const KEY = SESSION_KEYS.lastReload;

export function isOnline(): boolean {
  return navigator.onLine;
}

export function reloadPage(): void {
  window.location.reload();
}

/**
 * Reloads after a chunk failed to load, at most once per 10 s. False: the last reload was too recent, or the browser is
 * offline and a reload would only lose the page.
 */
export function reloadOnce(): boolean {
  if (!isOnline()) return false;
  const now = Date.now();
  try {
    const last = Number(window.sessionStorage.getItem(KEY) ?? '0');
    if (now - last < RELOAD_GUARD_MS) return false;
    window.sessionStorage.setItem(KEY, String(now));
  } catch {
    // Without storage the time of the last reload is unknown, and reloads could repeat without end.
    return false;
  }
  reloadPage();
  return true;
}
