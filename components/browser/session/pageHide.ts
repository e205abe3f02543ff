/** Calls back when the page is left or hidden for good, as far as the browser can tell. */
export function onPageHide(callback: () => void): void {
  // Node, too, evaluates the modules of every page.
  globalThis.window?.addEventListener('pagehide', callback);
}
