import { CartView } from '../../cart/CartView';
import { moveToWishlist } from '../../wishlist/MoveToWishlist';

export function CartPage() {
  return <CartView lineAction={moveToWishlist} />;
}
