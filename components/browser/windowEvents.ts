/** Calls back when the browser is online again; returns a function that stops it. */
export function onReconnect(callback: () => void): () => void {
  window.addEventListener('online', callback);
  return () => window.removeEventListener('online', callback);
}
/** Calls back with each exception that nothing caught, and the reason of each rejected promise that nothing handled. */
export function onUnhandledError(callback: (error: unknown) => void): void {
  window.addEventListener('error', (event) => callback(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => callback(event.reason));
}
