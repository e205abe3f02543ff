import { idOf } from '../../model/cartLine';
import { majorOf, minorOf } from '../../model/money';
import type { StoredWishlistItem } from '../../model/wishlistItem';
import { LOCAL_KEYS } from './storageKeys';
import { onOtherTab, readList, type StoredList, writeList } from './storedList';

const MAX_NAME_LENGTH = 300;

export function readWishlist(): StoredList<StoredWishlistItem> {
  return readList(LOCAL_KEYS.wishlist, readItem);
}

export function writeWishlist(items: readonly StoredWishlistItem[]): void {
  const wire = ({ id, name, seenPrice }: StoredWishlistItem) => ({
    ID: id,
    Name: name,
    Price: majorOf(seenPrice),
  });
  writeList(LOCAL_KEYS.wishlist, items.map(wire));
}

export function onOtherTabsWishlist(changed: () => void): () => void {
  return onOtherTab([LOCAL_KEYS.wishlist], changed);
}

function readItem(value: unknown): StoredWishlistItem | null {
  if (typeof value !== 'object' || value === null) return null;
  const { ID, Name, Price } = value as { ID?: unknown; Name?: unknown; Price?: unknown };
  const id = idOf(ID);
  const seenPrice = minorOf(Price);
  if (id === null || seenPrice === null || typeof Name !== 'string' || !Name) return null;
  return { id, name: Name.slice(0, MAX_NAME_LENGTH), seenPrice };
}
