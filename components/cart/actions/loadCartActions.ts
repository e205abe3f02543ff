import { loadOrReload } from '../../ui/loading/lazyModule';

const load = () => import('./cartActions');

/** Loads the code that changes the cart, when it is used. */
export const loadActions = () => loadOrReload(load());

/** Preloads on hover and focus. A failure is handled on click. */
export function prepareActions(): void {
  load().catch(() => undefined);
}
