import type { WishlistItemSchema } from '../contracts/schema';

/** docs/contracts.md, "Calls of our own". `seenPrice` is its price when it was added or last seen. */
export type WishlistItem = WishlistItemSchema;

/** A guest's wishlist item in browser storage. */
export type StoredWishlistItem = { id: number; name: string; seenPrice: number };
