import { useEffect } from 'react';
import type { ServerCart } from '../../api/cart';
import { onSignInChange } from '../../browser/session/session';

/**
 * The account's cart that came with the page on screen. It saves the requests that would ask for the same; after a
 * change of the cart or of the sign-in it is dropped.
 */
let pageCart: ServerCart | null = null;
// A page that is shown again from the browser's memory may be old.
const usedCarts = new WeakSet<ServerCart>();

onSignInChange(dropPageCart);

export function dropPageCart(): void {
  pageCart = null;
}

/** Null when there is none, or when this browser knows a newer one: `knownVersion`, null for no version. */
export function currentPageCart(knownVersion: number | null): ServerCart | null {
  if (pageCart && knownVersion !== null && pageCart.version < knownVersion) dropPageCart();
  return pageCart;
}

/** Offers the cart of the page while that is on screen. */
export function usePageCart(cart: ServerCart | null): void {
  useEffect(() => {
    if (!cart || usedCarts.has(cart)) return;
    usedCarts.add(cart);
    pageCart = cart;
    return dropPageCart;
  }, [cart]);
}
