import type { Format } from '../../format/format';

/** `stock`: how many are left if these are few; null: enough. */
type StockProps = { stock: number | null; format: Format };

export function Stock({ stock, format }: StockProps) {
  const { state, text } = wordingOf(stock, format);
  return <p className={`stock stock--${state}`}>{text}</p>;
}

function wordingOf(stock: number | null, format: Format): { state: string; text: string } {
  if (stock === null) return { state: 'available', text: 'Available' };
  if (stock <= 0) return { state: 'out', text: 'Sold out' };
  return { state: 'few', text: `Only ${format.count(stock)} left` };
}
