import { useSyncExternalStore } from 'react';
import type { CartLine } from '../api/cartLines';
import { createStore } from '../browser/store';

/** A line that was taken out, and where it stood. */
export type Removed = { line: CartLine; place: number };

const NONE: Removed[] = [];
const store = createStore<Removed[]>(NONE);

/** What was removed last and can be put back. */
export function useRemoved(): Removed[] {
  return useSyncExternalStore(store.subscribe, store.get, () => NONE);
}

export const rememberRemoved = (removed: Removed[]) => store.set(removed);

/** One of them is there again, or all are beyond return. */
export function forgetRemoved(id?: number): void {
  const left = id === undefined ? [] : store.get().filter(({ line }) => line.id !== id);
  store.set(left.length > 0 ? left : NONE);
}
