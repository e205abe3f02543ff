import { useSyncExternalStore } from 'react';
import { createStore } from '../browser/store';
import { readWishlist } from '../browser/wishlist/wishlistStorage';

/** Ids on the wishlist: a guest's from this browser, a learner's from the account. */
export type Wishlist = { isKnown: boolean; ids: ReadonlySet<number> };

const UNKNOWN: Wishlist = { isKnown: false, ids: new Set() };
const store = createStore<Wishlist>(UNKNOWN);
let project = (stored: ReadonlySet<number>) => stored;

export function useWishlist(): Wishlist {
  return useSyncExternalStore(store.subscribe, store.get, () => UNKNOWN);
}

/** Shows other ids than the stored ones: those of an account. */
export function projectWishlist(projection: (stored: ReadonlySet<number>) => ReadonlySet<number>): void {
  project = projection;
}

/** Reads the stored wishlist. Invalid entries are left out; the next change removes them. */
export function loadWishlist(): void {
  store.set({ isKnown: true, ids: project(new Set(readWishlist().entries.map(({ id }) => id))) });
}
