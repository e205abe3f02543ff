import { RELOAD_GUARD_MS } from '../api/limits';
import { IN_SESSION } from './names';

const KEY = IN_SESSION.lastReload;

/** Reloads after a chunk that could not be loaded, at most once per 10 s; false says that it was too soon. */
export function reloadOnce(): boolean {
  const now = Date.now();
  try {
    const last = Number(window.sessionStorage.getItem(KEY) ?? '0');
    if (now - last < RELOAD_GUARD_MS) return false;
    window.sessionStorage.setItem(KEY, String(now));
  } catch {
    // Without a memory of the last reload a second one could loop: better none.
    return false;
  }
  window.location.reload();
  return true;
}
