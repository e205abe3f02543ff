import { loadOrReload } from '../loading/lazyModule';
import type { ToastKind } from './Toaster';

/** Shows a toast. Its code and style sheet load with the first one. */
export async function notify(kind: ToastKind, text: string): Promise<void> {
  const { show } = await loadOrReload(import('./Toaster'));
  show(kind, text);
}
