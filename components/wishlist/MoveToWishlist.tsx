import { removeLines } from '../cart/actions/cartActions';
import type { CartItem } from '../cart/store/pricedCart';
import { Icon } from '../ui/Icon';
import { changeWishlist } from './wishlistActions';

/** Moves a line from the cart to the wishlist. */
export function MoveToWishlist({ item: { line, detail } }: { item: CartItem }) {
  async function move() {
    const price = detail ? (detail.salePrice ?? detail.listPrice) : (line.discountPrice ?? line.price);
    const product = { id: line.id, name: line.name, listPrice: line.price, price, kind: 'course' as const };
    if (await changeWishlist(product, true)) await removeLines([line]);
  }
  return (
    <button
      type="button"
      className="line__action hint"
      aria-label={`To wishlist: ${line.name}`}
      onClick={() => void move()}
    >
      <Icon name="heart" />
      To wishlist
    </button>
  );
}

/** The action of a cart's lines on the cart page. */
export const moveToWishlist = (item: CartItem) => <MoveToWishlist item={item} />;
