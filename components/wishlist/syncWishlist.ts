import { getWishlist, mergeWishlist } from '../api/wishlist';
import { setAccountWishlist, setStoredWishlist, storedWishlist } from './wishlistStore';

/** Merges a guest's wishlist into the account's; then the browser's copy is removed. */
export async function syncWishlist(): Promise<void> {
  const stored = storedWishlist();
  const items = stored.length > 0 ? await mergeWishlist(stored) : await getWishlist();
  setAccountWishlist(items.map(({ id }) => id));
  if (stored.length > 0) setStoredWishlist(() => []);
}
