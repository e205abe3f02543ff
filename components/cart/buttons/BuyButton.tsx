import { type MouseEvent, useState } from 'react';
import { useSession } from '../../api/auth';
import { AddForm } from '../../forms/AddForm';
import { isServed } from '../../model/servedPages';
import { loadOrReload } from '../../ui/loading/lazyModule';
import type { Product } from '../actions/cartActions';
import { useCart } from '../store/cartStore';

const load = () => import('../actions/buyNow');

/**
 * Puts a course in the cart and leads to the checkout, by one press. What is in the cart has the way to the checkout
 * elsewhere, and what is owned is not sold again. Without script it posts its form.
 */
export function BuyButton({ product }: { product: Product }) {
  const isOwned = useSession()?.owned?.includes(product.id);
  const isInCart = useCart().lines.some((line) => line.id === product.id);
  const [isBusy, setIsBusy] = useState(false);
  // On the way to the checkout it stays: nothing else may move below a second press.
  if (!isServed('checkout') || (!isBusy && (isOwned || isInCart))) return null;

  async function press(event: MouseEvent) {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    try {
      const { buyNow } = await loadOrReload(load());
      await buyNow(product);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <AddForm action="buy">
      <button
        type="submit"
        className="button button--quiet button--wide"
        name="id"
        value={product.id}
        aria-disabled={isBusy}
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={(event) => void press(event)}
      >
        {isBusy ? 'To the checkout…' : 'Buy now'}
      </button>
    </AddForm>
  );
}
