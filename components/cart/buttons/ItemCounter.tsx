import { MAX_QUANTITY } from '../../model/cartLine';
import { QuantityStepper } from '../../ui/QuantityStepper';
import { loadActions } from '../actions/loadCartActions';
import { useCart } from '../store/cartStore';
import { setCounter, useCounter } from '../store/panelStore';

type ItemCounterProps = { id: number; name: string; stock: number | null };

/**
 * How many of a shop item the button adds, 1 again on every route change; once it is in the cart, how many of it the
 * cart has.
 */
export function ItemCounter({ id, name, stock }: ItemCounterProps) {
  const max = Math.min(stock ?? MAX_QUANTITY, MAX_QUANTITY);
  const counter = useCounter();
  const line = useCart().lines.find((inCart) => inCart.id === id);

  async function change(quantity: number) {
    if (!line) return setCounter(quantity);
    const { changeQuantity } = await loadActions();
    await changeQuantity(line, quantity);
  }

  return (
    <QuantityStepper
      name={name}
      quantity={line?.quantity ?? counter}
      max={max}
      onChange={(quantity) => void change(quantity)}
    />
  );
}
