/** Leaves for another address, the provider's among them. Anything but http and https stays where it is. */
export function leaveTo(address: string): void {
  const url = new URL(address, window.location.href);
  if (/^https?:$/.test(url.protocol)) window.location.assign(url.href);
}

/** Calls back when the page comes back from the browser's memory as it was left; returns the way to stop that. */
export function onComeback(callback: () => void): () => void {
  const heard = (event: PageTransitionEvent) => {
    if (event.persisted) callback();
  };
  window.addEventListener('pageshow', heard);
  return () => window.removeEventListener('pageshow', heard);
}

/** Hands a text over as a file to keep. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** False where the clipboard is refused or, on a site without https, missing. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
