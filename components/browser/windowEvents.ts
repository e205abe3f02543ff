/** Calls back when the browser is online again; returns a function that stops it. */
export function onReconnect(callback: () => void): () => void {
  window.addEventListener('online', callback);
  return () => window.removeEventListener('online', callback);
}
/** Calls back when Ctrl or Command and this letter are pressed together, instead of what the browser does then. */
export function onShortcut(letter: string, callback: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    const isIt = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === letter;
    if (!isIt) return;
    event.preventDefault();
    callback();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

/** Calls back with each exception that nothing caught, and the reason of each rejected promise that nothing handled. */
export function onUnhandledError(callback: (error: unknown) => void): void {
  window.addEventListener('error', (event) => callback(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => callback(event.reason));
}
