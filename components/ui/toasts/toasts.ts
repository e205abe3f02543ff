import type { ToastKind } from './Toaster';

let toaster: Promise<typeof import('./Toaster')> | null = null;

/** Shows a toast. Its code and style sheet load with the first one. */
export async function notify(kind: ToastKind, text: string): Promise<void> {
  toaster ??= import('./Toaster');
  toaster.catch(() => {
    toaster = null;
  });
  const { show } = await toaster;
  show(kind, text);
}
