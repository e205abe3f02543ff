import { idOf } from '../../model/cartLine';
import { minorOf } from '../../model/money';
import type { StoredWishlistItem } from '../../model/wishlistItem';
import { siteCurrency } from '../storage/siteCurrency';
import { LOCAL_KEYS } from '../storage/storageKeys';
import { readList, type StoredList } from '../storage/storedList';

const MAX_NAME_LENGTH = 300;

export function readWishlist(): StoredList<StoredWishlistItem> {
  return readList(LOCAL_KEYS.wishlist, readItem);
}

function readItem(value: unknown): StoredWishlistItem | null {
  if (typeof value !== 'object' || value === null) return null;
  const { ID, Name, Price } = value as { ID?: unknown; Name?: unknown; Price?: unknown };
  const id = idOf(ID);
  const seenPrice = minorOf(Price, siteCurrency());
  if (id === null || seenPrice === null || typeof Name !== 'string' || !Name) return null;
  return { id, name: Name.slice(0, MAX_NAME_LENGTH), seenPrice };
}
