import { MAX_QUANTITY } from '../../model/cartLine';
import { QuantityStepper } from '../../ui/QuantityStepper';
import { setCounter, useCounter } from '../store/panelStore';

type ItemCounterProps = { name: string; stock: number | null };

/** How many of a shop item the next press adds; 1 again on every route change. */
export function ItemCounter({ name, stock }: ItemCounterProps) {
  const max = Math.min(stock ?? MAX_QUANTITY, MAX_QUANTITY);
  return <QuantityStepper name={name} quantity={useCounter()} max={max} onChange={setCounter} />;
}
