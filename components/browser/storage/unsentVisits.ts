import { UNSENT_VISIT_PREFIX as PREFIX } from './storageKeys';

// Visits stored until the host has accepted them (docs/readings.md, "Visits"); beyond this the oldest is removed.
const MAX_VISITS = 100;

type StoredVisit = { at: number; visit: unknown };
const memory = new Map<string, StoredVisit>();

/** One entry per visit, so that two tabs never write over each other. Falls back to memory where storage is refused. */
export const unsentVisits = {
  save(id: string, visit: unknown): void {
    const stored: StoredVisit = { at: Date.now(), visit };
    try {
      const keys = storedKeys();
      for (const old of keys.slice(0, Math.max(0, keys.length - MAX_VISITS + 1)))
        window.localStorage.removeItem(old);
      window.localStorage.setItem(PREFIX + id, JSON.stringify(stored));
    } catch {
      const oldest = memory.keys().next().value;
      if (memory.size >= MAX_VISITS && oldest !== undefined) memory.delete(oldest);
      memory.set(id, stored);
    }
  },

  remove(id: string): void {
    memory.delete(id);
    try {
      window.localStorage.removeItem(PREFIX + id);
    } catch {
      // Refused storage held nothing.
    }
  },

  /** Oldest first. Invalid entries are removed. */
  all<T>(): T[] {
    const stored = [...memory.values()];
    try {
      for (const key of storedKeys()) {
        const entry = parsed(window.localStorage.getItem(key));
        if (entry) stored.push(entry);
        else window.localStorage.removeItem(key);
      }
    } catch {
      // Storage is refused: only the visits in memory are left.
    }
    return stored.sort((a, b) => a.at - b.at).map((entry) => entry.visit as T);
  },
};

/** Keys of stored visits, oldest first. */
function storedKeys(): string[] {
  const at = (key: string) => parsed(window.localStorage.getItem(key))?.at ?? 0;
  return Object.keys(window.localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .sort((a, b) => at(a) - at(b));
}

function parsed(text: string | null): StoredVisit | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { at, visit } = value as Partial<StoredVisit>;
    const isVisit = typeof visit === 'object' && visit !== null && 'EventID' in visit;
    return typeof at === 'number' && isVisit ? { at, visit } : null;
  } catch {
    return null;
  }
}
