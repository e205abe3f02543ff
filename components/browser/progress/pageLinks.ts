import { isOnline } from '../reload';

/**
 * Asks `mayOpen` before a link to the page at `path` is followed without a connection: false holds it back. Returns a
 * function that stops it.
 */
export function watchPageLinks(path: string, mayOpen: (address: string) => boolean): () => void {
  const onClick = (event: MouseEvent) => {
    if (isOnline() || event.defaultPrevented || event.button !== 0) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link?.href || link.target || link.origin !== window.location.origin || link.pathname !== path)
      return;
    if (!mayOpen(link.pathname + link.search)) event.preventDefault();
  };
  // Before the document's own listener, which navigates.
  document.addEventListener('click', onClick, true);
  return () => document.removeEventListener('click', onClick, true);
}
