import { useSyncExternalStore } from 'react';
import { offerGuestLines, readCart, writeCart, writeSaved } from '../../browser/storage/cartStorage';
import { createStore } from '../../browser/store';
import type { CartLine } from '../../model/cartLine';

/** The lines of the cart and those saved for later. */
export type CartLists = { lines: CartLine[]; saved: CartLine[] };

/**
 * `isKnown` is false on the server and on the first render: a page's HTML holds nothing personal. `hasChanged`: the
 * count differs from the one when the page opened.
 */
export type Cart = { isKnown: boolean; hasChanged: boolean } & CartLists;

const UNKNOWN: Cart = { isKnown: false, hasChanged: false, lines: [], saved: [] };
const store = createStore<Cart>(UNKNOWN);
let project = (stored: CartLists) => stored;

export const shownCart = store.get;

export function useCart(): Cart {
  return useSyncExternalStore(store.subscribe, store.get, () => UNKNOWN);
}

/** Whether a product is in the cart: of a list of cards only those are rendered again for which it changes. */
export function useIsInCart(id: number): boolean {
  const isInCart = () => store.get().lines.some((line) => line.id === id);
  return useSyncExternalStore(store.subscribe, isInCart, () => false);
}

/** The number of items to buy; lines that the account refused are not counted. */
export function countOf(lines: readonly CartLine[]): number {
  return lines.reduce((count, line) => count + (line.status === 'refused' ? 0 : line.quantity), 0);
}

/** Shows the stored cart with changes that are not stored yet: those of an account before the server's answer. */
export function projectCart(projection: (stored: CartLists) => CartLists): void {
  project = projection;
}

/** Reads the stored cart; true: invalid entries were removed. */
export function loadCart(): boolean {
  const { lines, saved } = readCart();
  if (lines.isDamaged) writeCart(lines.entries);
  if (saved.isDamaged) writeSaved(saved.entries);
  const previous = store.get();
  // A document that begins with an empty cart may have lost it: then the sign-in still finds what was offered.
  if (previous.isKnown || lines.entries.length > 0) offerGuestLines(lines.entries);
  const next = project({ lines: lines.entries, saved: saved.entries });
  const isOther = previous.isKnown && countOf(previous.lines) !== countOf(next.lines);
  store.set({ isKnown: true, hasChanged: previous.hasChanged || isOther, ...next });
  return lines.isDamaged || saved.isDamaged;
}
