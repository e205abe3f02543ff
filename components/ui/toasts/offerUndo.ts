import { loadOrReload } from '../loading/lazyModule';

/** Says what was done and offers to undo it, for 10 s; the time stands still under the pointer and the focus. */
export async function offerUndo(text: string, onUndo: () => void): Promise<void> {
  const { showUndo } = await loadOrReload(import('./UndoToast'));
  showUndo(text, onUndo);
}
