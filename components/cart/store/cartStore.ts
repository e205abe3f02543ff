import { useSyncExternalStore } from 'react';
import { onOtherTabsCart, readCart, writeCart, writeSaved } from '../../browser/storage/cartStorage';
import { createStore } from '../../browser/store';
import type { CartLine } from '../../model/cartLine';

/**
 * `isKnown` is false on the server and on the first render: a page's HTML holds nothing personal. `hasChanged`: the
 * count differs from the one when the page opened.
 */
export type Cart = { isKnown: boolean; hasChanged: boolean; lines: CartLine[]; saved: CartLine[] };

const UNKNOWN: Cart = { isKnown: false, hasChanged: false, lines: [], saved: [] };
const store = createStore<Cart>(UNKNOWN);

export function useCart(): Cart {
  return useSyncExternalStore(store.subscribe, store.get, () => UNKNOWN);
}

/** The number of items to buy; lines that the account refused are not counted. */
export function countOf(lines: readonly CartLine[]): number {
  return lines.reduce((count, line) => count + (line.status === 'refused' ? 0 : line.quantity), 0);
}

/** Reads the stored cart; true: invalid entries were removed. */
export function loadCart(): boolean {
  const { lines, saved } = readCart();
  if (lines.isDamaged) writeCart(lines.entries);
  if (saved.isDamaged) writeSaved(saved.entries);
  const previous = store.get();
  const isOther = previous.isKnown && countOf(previous.lines) !== countOf(lines.entries);
  const hasChanged = previous.hasChanged || isOther;
  store.set({ isKnown: true, hasChanged, lines: lines.entries, saved: saved.entries });
  return lines.isDamaged || saved.isDamaged;
}

/** Reads the storage first, because other tabs change it too. */
export function currentCart(): Cart {
  loadCart();
  return store.get();
}

export function setLines(change: (lines: CartLine[]) => CartLine[]): void {
  writeCart(change(currentCart().lines));
  loadCart();
}

export function setSaved(change: (lines: CartLine[]) => CartLine[]): void {
  writeSaved(change(currentCart().saved));
  loadCart();
}

export const followOtherTabs = () => onOtherTabsCart(loadCart);
