import { MOST_OF_ONE } from '../api/cartLines';
import { QuantityStepper } from '../ui/QuantityStepper';
import { setCounter, useCounter } from './panelStore';

type ItemCounterProps = { name: string; stock: number | null };

/** How many of a shop item the next press adds; 1 again on every route change. */
export function ItemCounter({ name, stock }: ItemCounterProps) {
  const most = Math.min(stock ?? MOST_OF_ONE, MOST_OF_ONE);
  return <QuantityStepper name={name} quantity={useCounter()} most={most} onChange={setCounter} />;
}
