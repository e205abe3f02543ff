import type { CartLine } from '../../model/cartLine';
import { LOCAL_KEYS } from './storageKeys';
import { readLine, writeLine } from './storedLine';
import { readList, type StoredList, writeList } from './storedList';

/** The cart of this browser (cart_products) and the lines saved for later. */
export type StoredCart = { lines: StoredList<CartLine>; saved: StoredList<CartLine> };

export function readCart(): StoredCart {
  return { lines: readList(LOCAL_KEYS.cart, readLine), saved: readList(LOCAL_KEYS.saved, readLine) };
}

export function writeCart(lines: readonly CartLine[]): void {
  writeList(LOCAL_KEYS.cart, lines.map(writeLine));
}

export function writeSaved(lines: readonly CartLine[]): void {
  writeList(LOCAL_KEYS.saved, lines.map(writeLine));
}
