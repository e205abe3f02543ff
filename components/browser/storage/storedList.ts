// Far above the size of a valid list; a larger text is ignored.
const MAX_TEXT_LENGTH = 200_000;
const MAX_ENTRIES = 100;
// Older and foreign forms put the list inside an object.
const WRAPPERS = ['items', 'lines', 'products'];

/** The entries under a key. `isDamaged`: some entries were invalid and are not in the list. */
export type StoredList<T> = { entries: T[]; isDamaged: boolean };

/** Without storage, memory holds the lists as long as the page lives. */
const memory = new Map<string, string>();

/** Whether what was written under a key lasts only as long as the page: storage was refused or full. */
export function isInMemory(key: string): boolean {
  return memory.has(key);
}

export function readText(key: string): string | null {
  const inMemory = memory.get(key);
  if (inMemory !== undefined) return inMemory;
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Writes, or removes with null; to memory alone when storage is refused or full. */
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

/** The validated list under a key: entries for which `read` gives null are skipped and make it damaged. */
export function readList<T extends { id: number }>(
  key: string,
  read: (value: unknown) => T | null,
): StoredList<T> {
  const text = readText(key);
  if (!text) return { entries: [], isDamaged: false };
  const values = text.length > MAX_TEXT_LENGTH ? null : listOf(text);
  if (!values) return { entries: [], isDamaged: true };
  const entries = new Map<number, T>();
  let skipped = Math.max(0, values.length - MAX_ENTRIES);
  for (const value of values.slice(0, MAX_ENTRIES)) {
    const entry = read(value);
    if (!entry) skipped += 1;
    else if (!entries.has(entry.id)) entries.set(entry.id, entry);
  }
  return { entries: [...entries.values()], isDamaged: skipped > 0 };
}

export function writeList(key: string, entries: readonly unknown[]): void {
  const text = entries.length > 0 ? JSON.stringify(entries) : null;
  // Each write triggers an event in every other tab.
  if (readText(key) !== text) writeText(key, text);
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
