import { readCart, writeCart, writeSaved } from '../../browser/storage/cartStorage';
import { type Cart, type CartLists, loadCart, shownCart } from './cartStore';

/** The cart shown. Reads the storage first, because other tabs change it too. */
export function currentCart(): Cart {
  loadCart();
  return shownCart();
}

/** The cart without changes under way. */
export function storedCart(): CartLists {
  const { lines, saved } = readCart();
  return { lines: lines.entries, saved: saved.entries };
}

/** Changes the stored lists: a guest's cart, or what the server says about an account's. */
export function changeStored(change: (stored: CartLists) => CartLists): void {
  const { lines, saved } = change(storedCart());
  writeCart(lines);
  writeSaved(saved);
  loadCart();
}
