/** Calls back at each event; returns a function that stops it. */
export function listen<E extends Event>(
  target: EventTarget,
  type: string,
  callback: (event: E) => void,
): () => void {
  const listener = callback as (event: Event) => void;
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}

/** Calls back when the browser is online again; returns a function that stops it. */
export function onReconnect(callback: () => void): () => void {
  return listen(window, 'online', callback);
}

/** Calls back when the page is restored from the back/forward cache; returns a function that stops it. */
export function onPageRestored(callback: () => void): () => void {
  return listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) callback();
  });
}

/**
 * Calls back when somebody sees the page: at once, unless the browser prepares it before anybody has asked for it.
 * Returns a function that stops it.
 */
export function onceSeen(callback: () => void): () => void {
  if ((document as { prerendering?: boolean }).prerendering)
    return listen(document, 'prerenderingchange', callback);
  callback();
  return () => undefined;
}

/** Calls back when Ctrl or Command and this letter are pressed together, instead of what the browser does then. */
export function onShortcut(letter: string, callback: () => void): () => void {
  return listen(window, 'keydown', (event: KeyboardEvent) => {
    const isIt = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === letter;
    if (!isIt) return;
    event.preventDefault();
    callback();
  });
}

/** Calls back with each exception that nothing caught, and the reason of each rejected promise that nothing handled. */
export function onUnhandledError(callback: (error: unknown) => void): void {
  listen(window, 'error', (event: ErrorEvent) => callback(event.error ?? event.message));
  listen(window, 'unhandledrejection', (event: PromiseRejectionEvent) => callback(event.reason));
}
