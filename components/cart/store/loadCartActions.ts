import { reloadOnce } from '../browser/reload';

type Actions = typeof import('./cartActions');
let actions: Promise<Actions> | null = null;

/** Code that changes the cart: fetched when somebody is about to use it. */
export function loadActions(): Promise<Actions> {
  actions ??= import('./cartActions');
  actions.catch(() => {
    actions = null;
  });
  return actions;
}

/** A pointer or the focus is on a button: what it needs may come already. Failures wait for the click. */
export function prepareActions(): void {
  loadActions().catch(() => undefined);
}

/** Code that is needed now. When it cannot be had it is most likely older than the site, and the page loads anew. */
export async function needed<T>(code: Promise<T>): Promise<T> {
  try {
    return await code;
  } catch (cause) {
    if (!reloadOnce()) throw cause;
    return new Promise(() => undefined);
  }
}
