import { Icon } from '../ui/Icon';
import type { Product } from './cartActions';
import { needed } from './intent';
import { useWishes } from './wishStore';

const loadWishActions = () => import('./wishActions');

/** Wishes for something; pressed again, no longer. */
export function WishButton({ product }: { product: Product }) {
  const isWished = useWishes().ids.has(product.id);

  async function change() {
    const { changeWish } = await needed(loadWishActions());
    await changeWish(product, !isWished);
  }

  return (
    <button
      type="button"
      className="wish-button"
      aria-pressed={isWished}
      onPointerEnter={() => void loadWishActions().catch(() => undefined)}
      onClick={() => void change()}
    >
      <Icon name="heart" />
      <span className="wish-button__text">{isWished ? 'On your wishlist' : 'Add to wishlist'}</span>
    </button>
  );
}
