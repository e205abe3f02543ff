import type { Product } from '../cart/actions/cartActions';
import { Icon } from '../ui/Icon';
import { loadOrReload } from '../ui/loading/lazyModule';
import { useWishlist } from './wishlistStore';

const loadWishlistActions = () => import('./wishlistActions');

/** Adds to the wishlist, or removes from it. */
export function WishlistButton({ product }: { product: Product }) {
  const isOnWishlist = useWishlist().ids.has(product.id);

  async function change() {
    const { changeWishlist } = await loadOrReload(loadWishlistActions());
    await changeWishlist(product, !isOnWishlist);
  }

  return (
    <button
      type="button"
      className="wishlist-button"
      aria-pressed={isOnWishlist}
      onPointerEnter={() => void loadWishlistActions().catch(() => undefined)}
      onClick={() => void change()}
    >
      <Icon name="heart" />
      <span className="wishlist-button__text">{isOnWishlist ? 'On your wishlist' : 'Add to wishlist'}</span>
    </button>
  );
}
