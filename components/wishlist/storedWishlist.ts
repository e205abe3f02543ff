import { readWishlist } from '../browser/wishlist/wishlistStorage';
import { writeWishlist } from '../browser/wishlist/wishlistWriter';
import type { StoredWishlistItem } from '../model/wishlistItem';
import { loadWishlist } from './wishlistStore';

/** A guest's wishlist, in this browser. */
export function storedWishlist(): StoredWishlistItem[] {
  return readWishlist().entries;
}

export function setStoredWishlist(change: (items: StoredWishlistItem[]) => StoredWishlistItem[]): void {
  writeWishlist(change(storedWishlist()));
  loadWishlist();
}
