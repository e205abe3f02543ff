import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

import { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled';
import toastStyles from '../../../static/css/toasts.css?text';
import { clearTop } from '../../browser/clearPlace';
import { adoptStyles, appendMount, raiseMount } from '../../browser/mount';

export type ToastKind = 'info' | 'success' | 'warning' | 'error';

// The library's own transitions fall in from far above the window; static/css/toasts.css has this one.
const APPEARING = cssTransition({ enter: 'toast-enter', exit: 'toast-exit' });

// Specification §9: top-center, 3000 ms, progress bar, close on click, pause on hover.
export function Toaster() {
  return (
    <ToastContainer
      position="top-center"
      autoClose={3000}
      hideProgressBar={false}
      closeOnClick
      pauseOnHover
      transition={APPEARING}
      theme="colored"
      aria-label="Notices"
    />
  );
}

let mount: HTMLElement | null = null;

/** The container exists, above dialogs, and where it covers nothing that somebody needs. */
export function prepareToaster(): void {
  if (!mount) {
    adoptStyles(toastStyles);
    mount = appendMount();
    const root = createRoot(mount);
    flushSync(() => root.render(<Toaster />));
  }
  raiseMount(mount);
  // Those that are shown already stay where they are.
  if (!mount.querySelector('.Toastify__toast')) mount.style.setProperty('--toast-top', `${clearTop()}px`);
}

/** Errors interrupt a screen reader, other toasts wait. */
export function show(kind: ToastKind, text: string): void {
  prepareToaster();
  toast[kind](text, { role: kind === 'error' ? 'alert' : 'status' });
}
