import { WishlistView } from '../../wishlist/WishlistView';

export function WishlistPage() {
  return <WishlistView />;
}
