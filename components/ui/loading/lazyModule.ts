import { reloadOnce } from '../../browser/reload';

/**
 * Awaits a module that is needed now; every dynamic import goes through here, except those of pages. One that fails to
 * load is most likely of an older build: the page reloads.
 */
export async function loadOrReload<T>(code: Promise<T>): Promise<T> {
  try {
    return await code;
  } catch (cause) {
    if (!reloadOnce()) throw cause;
    return new Promise(() => undefined);
  }
}
