export type ToastKind = 'info' | 'success' | 'warning' | 'error';

let toaster: Promise<typeof import('./Toaster')> | null = null;

/** Shows a toast. Its code and style sheet are loaded when the first one is needed. */
export async function notify(kind: ToastKind, text: string): Promise<void> {
  toaster ??= import('./Toaster');
  toaster.catch(() => {
    toaster = null;
  });
  const { show } = await toaster;
  show(kind, text);
}
