/** Calls back at once, or as soon as somebody looks at the page again; returns a function that stops it. */
export function whenVisible(callback: () => void): () => void {
  if (document.visibilityState !== 'hidden') callback();
  else document.addEventListener('visibilitychange', callback, { once: true });
  return () => document.removeEventListener('visibilitychange', callback);
}
