/** The text that this tab stores under a key; null without one, and where session storage is refused. */
export function readTab(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text in this tab, or removes it with null. False where session storage is refused or full. */
export function writeTab(key: string, text: string | null): boolean {
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The value that this tab stores as JSON under a key; null without one that can be read. */
export function readTabValue(key: string): unknown {
  try {
    return JSON.parse(readTab(key) ?? 'null');
  } catch {
    return null;
  }
}
