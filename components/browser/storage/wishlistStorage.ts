import { idOf } from '../api/cartLines';
import { majorOf, minorOf } from '../api/wireMoney';
import type { KeptWish } from '../api/wishlist';
import { type KeptList, onOtherTab, readList, writeList } from './keptLists';
import { KEPT } from './names';

const LONGEST_NAME = 300;

export function readWishes(): KeptList<KeptWish> {
  return readList(KEPT.wishlist, readWish);
}

export function writeWishes(wishes: readonly KeptWish[]): void {
  const wire = ({ id, name, seenPrice }: KeptWish) => ({ ID: id, Name: name, Price: majorOf(seenPrice) });
  writeList(KEPT.wishlist, wishes.map(wire));
}

export function onOtherTabsWishes(changed: () => void): () => void {
  return onOtherTab([KEPT.wishlist], changed);
}

function readWish(value: unknown): KeptWish | null {
  if (typeof value !== 'object' || value === null) return null;
  const { ID, Name, Price } = value as { ID?: unknown; Name?: unknown; Price?: unknown };
  const id = idOf(ID);
  const seenPrice = minorOf(Price);
  if (id === null || seenPrice === null || typeof Name !== 'string' || !Name) return null;
  return { id, name: Name.slice(0, LONGEST_NAME), seenPrice };
}
