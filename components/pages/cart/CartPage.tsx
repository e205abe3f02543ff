import { usePageSession } from '../../api/session/privatePage';
import { usePageCart } from '../../cart/account/pageCart';
import { CartView } from '../../cart/CartView';
import type { CartProps } from '../../contracts/schema';
import { moveToWishlist } from '../../wishlist/MoveToWishlist';

/** Guests have it too: what the page came with is the learner's cart, a guest's is in the browser. */
export function CartPage({ cart = null, offered }: Partial<CartProps>) {
  const session = usePageSession();
  usePageCart(session && cart);
  return <CartView lineAction={moveToWishlist} offered={offered} />;
}
