import { useSyncExternalStore } from 'react';
import type { KeptWish } from '../api/wishlist';
import { onOtherTabsWishes, readWishes, writeWishes } from '../browser/keptWishes';
import { createStore } from '../browser/store';

/** Ids that are wished for: a guest's in this browser, a learner's as the account has them. */
export type Wishes = { isKnown: boolean; ids: ReadonlySet<number> };

const UNKNOWN: Wishes = { isKnown: false, ids: new Set() };
const store = createStore<Wishes>(UNKNOWN);
let account: ReadonlySet<number> | null = null;

export function useWishes(): Wishes {
  return useSyncExternalStore(store.subscribe, store.get, () => UNKNOWN);
}

/** Reads what this browser keeps; true says that something unreadable was thrown away. */
export function loadWishes(): boolean {
  const { entries, isDamaged } = readWishes();
  if (isDamaged) writeWishes(entries);
  store.set({ isKnown: true, ids: account ?? new Set(entries.map(({ id }) => id)) });
  return isDamaged;
}

export function keptWishes(): KeptWish[] {
  return readWishes().entries;
}

export function setKeptWishes(change: (wishes: KeptWish[]) => KeptWish[]): void {
  writeWishes(change(keptWishes()));
  loadWishes();
}

/** The account's wishes are never kept in the browser: the next person at it may be another. */
export function setAccountWishes(ids: Iterable<number>): void {
  account = new Set(ids);
  loadWishes();
}

export const accountWishes = () => account;
export const followOtherTabsWishes = () => onOtherTabsWishes(loadWishes);
