import { majorOf } from '../../model/money';
import type { StoredWishlistItem } from '../../model/wishlistItem';
import { siteCurrency } from '../storage/siteCurrency';
import { LOCAL_KEYS } from '../storage/storageKeys';
import { writeList } from '../storage/storedList';

export function writeWishlist(items: readonly StoredWishlistItem[]): void {
  const wire = ({ id, name, seenPrice }: StoredWishlistItem) => ({
    ID: id,
    Name: name,
    Price: majorOf(seenPrice, siteCurrency()),
  });
  writeList(LOCAL_KEYS.wishlist, items.map(wire));
}
