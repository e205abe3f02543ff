import { SESSION_KEYS } from './storageKeys';
import { readTabValue, writeTab } from './tabStorage';

/** One unit of a line cost `from` when it was last seen and costs `to` now; minor units. */
export type PriceChange = { id: number; name: string; from: number; to: number };

/** Changes that a guest has not dismissed in this session; the server stores those of an account. */
export function readChanges(): PriceChange[] {
  const value = readTabValue(SESSION_KEYS.changes);
  return Array.isArray(value) ? value.filter(isChange) : [];
}

/** Where storage is refused or full, the changes are shown as long as this page lives. */
export function writeChanges(changes: readonly PriceChange[]): void {
  writeTab(SESSION_KEYS.changes, changes.length === 0 ? null : JSON.stringify(changes));
}

function isChange(value: unknown): value is PriceChange {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, from, to } = value as Record<keyof PriceChange, unknown>;
  return typeof name === 'string' && [id, from, to].every(Number.isSafeInteger);
}
