// Far more than any list of ours takes; what is larger was not written by us.
const LONGEST = 200_000;
const MOST = 100;
// Older and foreign forms put the list inside an object.
const WRAPPERS = ['items', 'lines', 'products'];

/** What was found under a key. `isDamaged`: something there could not be read and is left out. */
export type KeptList<T> = { entries: T[]; isDamaged: boolean };

/** Where storage is refused, memory keeps the lists for as long as the page lives. */
const memory = new Map<string, string>();

export function readText(key: string): string | null {
  const remembered = memory.get(key);
  if (remembered !== undefined) return remembered;
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Writes, or removes with null. Storage that is refused or full leaves it to memory. */
export function writeText(key: string, text: string | null): void {
  try {
    if (text === null) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    if (text === null) memory.delete(key);
    else memory.set(key, text);
  }
}

/** The list under a key, distrusted: whatever `read` cannot make an entry of is left out, and said to be damaged. */
export function readList<T extends { id: number }>(
  key: string,
  read: (value: unknown) => T | null,
): KeptList<T> {
  const text = readText(key);
  if (!text) return { entries: [], isDamaged: false };
  const values = text.length > LONGEST ? null : listOf(text);
  if (!values) return { entries: [], isDamaged: true };
  const found = new Map<number, T>();
  let unread = Math.max(0, values.length - MOST);
  for (const value of values.slice(0, MOST)) {
    const entry = read(value);
    if (!entry) unread += 1;
    else if (!found.has(entry.id)) found.set(entry.id, entry);
  }
  return { entries: [...found.values()], isDamaged: unread > 0 };
}

export function writeList(key: string, entries: readonly unknown[]): void {
  const text = entries.length > 0 ? JSON.stringify(entries) : null;
  // Each write wakes every other tab.
  if (readText(key) !== text) writeText(key, text);
}

/** Calls back when another tab changed one of the keys; returns the way to stop that. */
export function onOtherTab(keys: readonly string[], changed: () => void): () => void {
  const heard = (event: StorageEvent) => {
    // A null key says that everything was removed.
    if (event.key === null || keys.includes(event.key)) changed();
  };
  window.addEventListener('storage', heard);
  return () => window.removeEventListener('storage', heard);
}

function listOf(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return [];
    if (Array.isArray(value)) return value;
    if (typeof value !== 'object') return null;
    const inside = WRAPPERS.map((name) => (value as Record<string, unknown>)[name]).find(Array.isArray);
    return inside ?? null;
  } catch {
    return null;
  }
}
