import { SESSION_KEYS } from './storageKeys';

/** One unit of a line cost `from` when it was last seen and costs `to` now; minor units. */
export type PriceChange = { id: number; name: string; from: number; to: number };

/** Changes that a guest has not dismissed in this session; the server stores those of an account. */
export function readChanges(): PriceChange[] {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(SESSION_KEYS.changes) ?? '[]');
    return Array.isArray(value) ? value.filter(isChange) : [];
  } catch {
    return [];
  }
}

export function writeChanges(changes: readonly PriceChange[]): void {
  try {
    if (changes.length === 0) window.sessionStorage.removeItem(SESSION_KEYS.changes);
    else window.sessionStorage.setItem(SESSION_KEYS.changes, JSON.stringify(changes));
  } catch {
    // Refused or full: the changes are shown as long as this page lives.
  }
}

function isChange(value: unknown): value is PriceChange {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, from, to } = value as Record<keyof PriceChange, unknown>;
  return typeof name === 'string' && [id, from, to].every(Number.isSafeInteger);
}
