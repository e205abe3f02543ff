import { Icon } from '../ui/Icon';
import type { Product } from './cartActions';
import { useCart } from './cartStore';
import { loadActions, needed, prepareActions } from './intent';

type AddButtonProps = {
  product: Product;
  /** How many are added at once: the counter of a shop item. */
  quantity?: number;
  /** In a card there is room for one word. */
  look?: 'card' | 'wide';
};

/** Puts a course or shop item in the cart. Pressed again it asks the server again (specification §4). */
export function AddButton({ product, quantity = 1, look = 'card' }: AddButtonProps) {
  const isIn = useCart().lines.some((line) => line.id === product.id);
  const text = isIn ? 'In your cart' : 'Add to cart';
  const shown = look === 'card' ? text.replace('your ', '') : text;

  async function add() {
    const actions = await needed(loadActions());
    await actions.addToCart(product, quantity);
  }

  return (
    <button
      type="button"
      className={`add add--${look}${isIn ? ' add--in' : ''}`}
      aria-label={look === 'card' ? `${shown}: ${product.name}` : undefined}
      onPointerEnter={prepareActions}
      onFocus={prepareActions}
      onClick={() => void add()}
    >
      {look === 'wide' && <Icon name={isIn ? 'check' : 'cart'} />}
      {shown}
    </button>
  );
}

type Sold = { id: number; name: string; listPrice: number; price: number; kind: 'course' | 'item' };

export function productOf({ id, name, listPrice, price, kind }: Sold): Product {
  return { id, name, listPrice, price, isItem: kind === 'item' };
}

/** What a card in a list offers to do. */
export function cardAction(card: Sold) {
  return <AddButton product={productOf(card)} />;
}
