import { UNSENT_VISIT as PREFIX } from './names';

// So many are kept in the browser until the host has them (docs/readings.md, "Visits"); the oldest makes room.
const MOST = 100;

type Kept = { at: number; visit: unknown };
const memory = new Map<string, Kept>();

/** One entry per visit, so that two tabs never write over each other. Falls back to memory where storage is refused. */
export const unsentVisits = {
  keep(id: string, visit: unknown): void {
    const kept: Kept = { at: Date.now(), visit };
    try {
      const keys = storedKeys();
      for (const old of keys.slice(0, Math.max(0, keys.length - MOST + 1)))
        window.localStorage.removeItem(old);
      window.localStorage.setItem(PREFIX + id, JSON.stringify(kept));
    } catch {
      const oldest = memory.keys().next().value;
      if (memory.size >= MOST && oldest !== undefined) memory.delete(oldest);
      memory.set(id, kept);
    }
  },

  drop(id: string): void {
    memory.delete(id);
    try {
      window.localStorage.removeItem(PREFIX + id);
    } catch {
      // Refused storage held nothing.
    }
  },

  /** Oldest first. Entries that cannot be read are thrown away. */
  all<T>(): T[] {
    const kept = [...memory.values()];
    try {
      for (const key of storedKeys()) {
        const entry = parsed(window.localStorage.getItem(key));
        if (entry) kept.push(entry);
        else window.localStorage.removeItem(key);
      }
    } catch {
      // Refused storage: what memory has is all there is.
    }
    return kept.sort((a, b) => a.at - b.at).map((entry) => entry.visit as T);
  },
};

/** Keys of kept visits, oldest first. */
function storedKeys(): string[] {
  const keys: { key: string; at: number }[] = [];
  for (let index = 0; index < window.localStorage.length; index += 1) {
    const key = window.localStorage.key(index);
    if (key?.startsWith(PREFIX)) keys.push({ key, at: parsed(window.localStorage.getItem(key))?.at ?? 0 });
  }
  return keys.sort((a, b) => a.at - b.at).map((entry) => entry.key);
}

function parsed(text: string | null): Kept | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { at, visit } = value as Partial<Kept>;
    const isVisit = typeof visit === 'object' && visit !== null && 'EventID' in visit;
    return typeof at === 'number' && isVisit ? { at, visit } : null;
  } catch {
    return null;
  }
}
