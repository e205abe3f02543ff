import { useSyncExternalStore } from 'react';
import { onOtherTabsWishlist, readWishlist, writeWishlist } from '../browser/storage/wishlistStorage';
import { createStore } from '../browser/store';
import type { StoredWishlistItem } from '../model/wishlistItem';

/** Ids on the wishlist: a guest's from this browser, a learner's from the account. */
export type Wishlist = { isKnown: boolean; ids: ReadonlySet<number> };

const UNKNOWN: Wishlist = { isKnown: false, ids: new Set() };
const store = createStore<Wishlist>(UNKNOWN);
let account: ReadonlySet<number> | null = null;

export function useWishlist(): Wishlist {
  return useSyncExternalStore(store.subscribe, store.get, () => UNKNOWN);
}

/** Reads the stored wishlist; true: invalid entries were removed. */
export function loadWishlist(): boolean {
  const { entries, isDamaged } = readWishlist();
  if (isDamaged) writeWishlist(entries);
  store.set({ isKnown: true, ids: account ?? new Set(entries.map(({ id }) => id)) });
  return isDamaged;
}

export function storedWishlist(): StoredWishlistItem[] {
  return readWishlist().entries;
}

export function setStoredWishlist(change: (items: StoredWishlistItem[]) => StoredWishlistItem[]): void {
  writeWishlist(change(storedWishlist()));
  loadWishlist();
}

/** The account's wishlist is never stored in the browser: another person may use it next. */
export function setAccountWishlist(ids: Iterable<number>): void {
  account = new Set(ids);
  loadWishlist();
}

export const accountWishlist = () => account;
export const followOtherTabsWishlist = () => onOtherTabsWishlist(loadWishlist);
