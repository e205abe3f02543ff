import { useSyncExternalStore } from 'react';
import type { CartLine } from '../api/cartLines';
import { onOtherTabsCart, readCart, writeCart, writeSaved } from '../browser/keptCart';
import { createStore } from '../browser/store';

/**
 * `isKnown` is false on the server and in the first drawing here: nothing personal stands in a page's HTML.
 * `hasChanged`: the count is another than when the page opened.
 */
export type Cart = { isKnown: boolean; hasChanged: boolean; lines: CartLine[]; saved: CartLine[] };

const UNKNOWN: Cart = { isKnown: false, hasChanged: false, lines: [], saved: [] };
const store = createStore<Cart>(UNKNOWN);

export function useCart(): Cart {
  return useSyncExternalStore(store.subscribe, store.get, () => UNKNOWN);
}

/** How many are to be bought: a line that an account refused is only told. */
export function countOf(lines: readonly CartLine[]): number {
  return lines.reduce((count, line) => count + (line.status === 'refused' ? 0 : line.quantity), 0);
}

/** Reads what this browser keeps; true says that something unreadable was thrown away. */
export function loadCart(): boolean {
  const { lines, saved } = readCart();
  if (lines.isDamaged) writeCart(lines.entries);
  if (saved.isDamaged) writeSaved(saved.entries);
  const before = store.get();
  const isOther = before.isKnown && countOf(before.lines) !== countOf(lines.entries);
  const hasChanged = before.hasChanged || isOther;
  store.set({ isKnown: true, hasChanged, lines: lines.entries, saved: saved.entries });
  return lines.isDamaged || saved.isDamaged;
}

/** Other tabs change what is kept, too: every change starts from what is there, not from what was shown. */
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
