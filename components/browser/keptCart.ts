import { type CartLine, readLine, writeLine } from '../api/cartLines';
import { type KeptList, onOtherTab, readList, writeList } from './keptLists';
import { KEPT } from './names';

/** The cart of this browser (cart_products) and what was put aside from it. */
export type KeptCart = { lines: KeptList<CartLine>; saved: KeptList<CartLine> };

export function readCart(): KeptCart {
  return { lines: readList(KEPT.cart, readLine), saved: readList(KEPT.saved, readLine) };
}

export function writeCart(lines: readonly CartLine[]): void {
  writeList(KEPT.cart, lines.map(writeLine));
}

export function writeSaved(lines: readonly CartLine[]): void {
  writeList(KEPT.saved, lines.map(writeLine));
}

export function onOtherTabsCart(changed: () => void): () => void {
  return onOtherTab([KEPT.cart, KEPT.saved], changed);
}
