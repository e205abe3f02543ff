import { WishlistView } from '../cart/WishlistView';

export function WishlistPage() {
  return <WishlistView />;
}
