import { refreshAuth } from '../api/auth';
import { moveWishlistItem, putWishlistItem } from '../api/wishlist';
import { addToCart, type Product, withErrorToast } from '../cart/store/cartActions';
import { currentCart } from '../cart/store/cartStore';
import { added } from '../cart/store/cartTexts';
import { refetchQuote } from '../cart/store/quoteStore';
import type { StoredWishlistItem, WishlistItem } from '../model/wishlistItem';
import { notify } from '../ui/toasts/toasts';
import { accountWishlist, setAccountWishlist, setStoredWishlist } from './wishlistStore';

/** Adds to the wishlist or removes from it. True on success. */
export async function changeWishlist({ id, name, price }: Product, wished: boolean): Promise<boolean> {
  if (refreshAuth().learner) {
    const outcome = await withErrorToast(() => putWishlistItem(id, wished), 'Your wishlist');
    if (!outcome?.isDone) {
      if (outcome) await notify('error', outcome.message);
      return false;
    }
    const others = [...(accountWishlist() ?? [])].filter((other) => other !== id);
    setAccountWishlist(wished ? [...others, id] : others);
  } else {
    const item: StoredWishlistItem = { id, name, seenPrice: price };
    setStoredWishlist((items) => [...items.filter((other) => other.id !== id), ...(wished ? [item] : [])]);
  }
  void notify(wished ? 'success' : 'info', `${name} ${wished ? 'added to' : 'removed from'} your wishlist`);
  return true;
}

/** Moves an item to the cart; it stays on the wishlist if the cart refuses it. */
export async function moveToCart(item: WishlistItem): Promise<void> {
  if (refreshAuth().learner) {
    const outcome = await withErrorToast(() => moveWishlistItem(item.id));
    if (!outcome) return;
    if (!outcome.isDone) return notify('error', outcome.message);
    setAccountWishlist([...(accountWishlist() ?? [])].filter((id) => id !== item.id));
    await refetchQuote();
    return notify('success', added(item.name));
  }
  await addToCart({ ...item, isItem: item.kind === 'item' }, 1);
  if (currentCart().lines.some((line) => line.id === item.id))
    setStoredWishlist((items) => items.filter((other) => other.id !== item.id));
}
