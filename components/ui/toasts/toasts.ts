import { loadOrReload } from '../loading/lazyModule';
import type { ToastKind } from './Toaster';

/** Shows a toast. Its code and style sheet load with the first one. */
export async function notify(kind: ToastKind, text: string): Promise<void> {
  const { show } = await loadOrReload(import('./Toaster'));
  show(kind, text);
}

/** Loads the code of toasts before it is needed: an error of a call can be shown without a connection then. */
export function prepareToasts(): void {
  import('./Toaster').catch(() => undefined);
}
