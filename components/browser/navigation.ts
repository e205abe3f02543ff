/** Loads another address, also one of the provider. Addresses other than http and https are ignored. */
export function navigateTo(address: string): void {
  const url = new URL(address, window.location.href);
  if (/^https?:$/.test(url.protocol)) window.location.assign(url.href);
}

/** Calls back when the page is restored from the back/forward cache; returns a function that stops it. */
export function onPageRestored(callback: () => void): () => void {
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) callback();
  };
  window.addEventListener('pageshow', onPageShow);
  return () => window.removeEventListener('pageshow', onPageShow);
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

/** Returns false when the clipboard is refused or, without https, unavailable. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
