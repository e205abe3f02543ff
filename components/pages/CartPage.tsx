import { CartView } from '../cart/CartView';

export function CartPage() {
  return <CartView />;
}
