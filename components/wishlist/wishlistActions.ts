import { refreshAuth } from '../api/auth';
import { addToCart, notifyFailure, type Product } from '../cart/actions/cartActions';
import { refetchQuote } from '../cart/actions/refetchQuote';
import { added } from '../cart/store/cartTexts';
import { currentCart } from '../cart/store/storedCart';
import { isolated } from '../model/isolated';
import type { StoredWishlistItem, WishlistItem } from '../model/wishlistItem';
import { notify } from '../ui/toasts/toasts';
import { moveItem, putWished } from './accountWishlist';
import { setStoredWishlist } from './storedWishlist';

const SUBJECT = 'Your wishlist';

/** Adds to the wishlist or removes from it. True on success. */
export async function changeWishlist({ id, name, price }: Product, wished: boolean): Promise<boolean> {
  if (refreshAuth().learner) {
    if (!(await notifyFailure(() => putWished(id, wished), SUBJECT))) return false;
  } else {
    const item: StoredWishlistItem = { id, name, seenPrice: price };
    setStoredWishlist((items) => [...items.filter((other) => other.id !== id), ...(wished ? [item] : [])]);
  }
  void notify(
    wished ? 'success' : 'info',
    `${isolated(name)} ${wished ? 'added to' : 'removed from'} your wishlist`,
  );
  return true;
}

/** Moves an item to the cart; it stays on the wishlist if the cart refuses it. */
export async function moveToCart(item: WishlistItem): Promise<void> {
  if (refreshAuth().learner) {
    if (!(await notifyFailure(() => moveItem(item.id)))) return;
    await refetchQuote();
    return notify('success', added(item.name));
  }
  await addToCart(item, 1);
  if (currentCart().lines.some((line) => line.id === item.id))
    setStoredWishlist((items) => items.filter((other) => other.id !== item.id));
}
