import { onPageRestored } from './windowEvents';

/** Loads another address, also one of the provider. Addresses other than http and https are ignored. */
export function navigateTo(address: string): void {
  const url = new URL(address, window.location.href);
  if (/^https?:$/.test(url.protocol)) window.location.assign(url.href);
}

/** Loads another address. Resolves when the browser brings this page back from its back/forward cache. */
export function leaveFor(address: string): Promise<void> {
  navigateTo(address);
  return new Promise((resolve) => onPageRestored(resolve));
}

/** Offers a text as a file to download. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function printPage(): void {
  window.print();
}

/** Returns false when the clipboard is refused or, without https, unavailable. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Asks before the page is left while `hasChanges`: the browser asks before a reload or another site, `onLink` gets a
 * clicked link of this site, which then is not followed. Going back asks nothing. Returns a function that stops it.
 */
export function askBeforeLeaving(
  hasChanges: () => boolean,
  onLink: (link: HTMLAnchorElement) => void,
): () => void {
  const onUnload = (event: BeforeUnloadEvent) => {
    if (!hasChanges()) return;
    event.preventDefault();
    // Chrome before 119 asks only then.
    event.returnValue = true;
  };
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !leavesPage(link) || !hasChanges()) return;
    event.preventDefault();
    event.stopPropagation();
    onLink(link);
  };
  window.addEventListener('beforeunload', onUnload);
  // Before the document's listener, which navigates.
  window.addEventListener('click', onClick, true);
  return () => {
    window.removeEventListener('beforeunload', onUnload);
    window.removeEventListener('click', onClick, true);
  };
}

/** Other sites are left to the browser's own question. */
function leavesPage(link: HTMLAnchorElement): boolean {
  const { origin, pathname, search } = window.location;
  if (link.target || link.download || link.origin !== origin) return false;
  return link.pathname + link.search !== pathname + search;
}

/** Whether the address leads to the element of this id. */
export function leadsTo(id: string): boolean {
  return window.location.hash === `#${id}`;
}

/** Puts a parameter into the address of the page, without loading anything: a reload comes back to it. */
export function putInAddress(name: string, value: string): void {
  const address = new URL(window.location.href);
  address.searchParams.set(name, value);
  window.history.replaceState(window.history.state, '', address.pathname + address.search);
}
