/**
 * Calls back when the page is left or hidden, before the listeners that send what waits. Returns a function that stops
 * it.
 */
export function beforeHide(callback: () => void): () => void {
  window.addEventListener('pagehide', callback, true);
  document.addEventListener('visibilitychange', callback, true);
  return () => {
    window.removeEventListener('pagehide', callback, true);
    document.removeEventListener('visibilitychange', callback, true);
  };
}
