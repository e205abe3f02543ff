import { IN_SESSION } from './names';

/** One unit of a line cost `from` when it was last seen and costs `to` now; minor units. */
export type PriceChange = { id: number; name: string; from: number; to: number };

/** Changes a guest has not yet read and put away, of this session; an account's are the server's to remember. */
export function readChanges(): PriceChange[] {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(IN_SESSION.changes) ?? '[]');
    return Array.isArray(value) ? value.filter(isChange) : [];
  } catch {
    return [];
  }
}

export function writeChanges(changes: readonly PriceChange[]): void {
  try {
    if (changes.length === 0) window.sessionStorage.removeItem(IN_SESSION.changes);
    else window.sessionStorage.setItem(IN_SESSION.changes, JSON.stringify(changes));
  } catch {
    // Refused or full: they are told for as long as this page lives.
  }
}

function isChange(value: unknown): value is PriceChange {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, from, to } = value as Record<keyof PriceChange, unknown>;
  return typeof name === 'string' && [id, from, to].every(Number.isSafeInteger);
}
