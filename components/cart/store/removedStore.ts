import { useSyncExternalStore } from 'react';
import { createStore } from '../../browser/store';
import type { CartLine } from '../../model/cartLine';

/** A removed line and its former position. */
export type Removed = { line: CartLine; place: number };

const EMPTY: Removed[] = [];
const store = createStore<Removed[]>(EMPTY);

/** The lines that were removed last and can be restored. */
export function useRemoved(): Removed[] {
  return useSyncExternalStore(store.subscribe, store.get, () => EMPTY);
}

export const offerUndo = (removed: Removed[]) => store.set(removed);

/** Drops one line, which was restored, or all of them. */
export function clearRemoved(id?: number): void {
  const rest = id === undefined ? [] : store.get().filter(({ line }) => line.id !== id);
  store.set(rest.length > 0 ? rest : EMPTY);
}
