import { leaveFor } from '../../browser/navigation';
import { type Product, putInCart } from './cartActions';

/**
 * Puts a product in the cart and leads to the checkout, by way of the sign-in where nobody is signed in. Resolves where
 * the cart refuses it, which a toast says, and when the browser brings this page back.
 */
export async function buyNow(product: Product): Promise<void> {
  if (await putInCart(product, 1)) await leaveFor('/checkout');
}
