import type { CartLine } from '../../model/cartLine';
import { setCookie } from './cookies';
import { COOKIES, LOCAL_KEYS } from './storageKeys';
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

/**
 * Tells the callback of a sign-in which lines no account has yet, so that it merges them before the next page is read
 * (host/auth/guest_lines.py).
 */
export function offerGuestLines(lines: readonly CartLine[]): void {
  const waiting = lines.filter(({ status }) => status === 'local');
  const text = waiting.map(({ id, quantity }) => `${id}*${quantity}`).join('.');
  setCookie(COOKIES.guestLines, text, '/logincallback', text ? undefined : 0);
}

export function writeSaved(lines: readonly CartLine[]): void {
  writeList(LOCAL_KEYS.saved, lines.map(writeLine));
}
