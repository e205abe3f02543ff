import { useSite } from '../api/site';
import type { OpenOrderSchema } from '../contracts/schema';
import { dateTime } from '../format/dateTime';
import { type Format, plural } from '../format/format';

type OpenOrderProps = { order: OpenOrderSchema; format: Format };

/** An order that waits for its payment. Its own page goes on with it, or cancels it. */
export function OpenOrder({ order, format }: OpenOrderProps) {
  const { names, totalMinor, reservedUntil, href } = order;
  const { forms } = useSite();
  return (
    <section className="checkout__message" aria-labelledby="open-order-title">
      <h2 id="open-order-title">You have an order that is not paid yet</h2>
      <p>
        {`${namesText(names)}: ${format.money(totalMinor)}. `}
        {reservedUntil && `It is reserved for you until ${dateTime(reservedUntil, forms)}. `}
        If you order again below, the new order replaces it. Nothing is charged twice.
      </p>
      <p className="checkout__message-actions row">
        <a className="button button--quiet" href={href}>
          Pay or cancel this order
        </a>
      </p>
    </section>
  );
}

function namesText(names: readonly string[]): string {
  const [first = 'Your order', ...rest] = names;
  if (rest.length === 0) return first;
  return `${first} and ${rest.length} more ${plural(rest.length, 'item', 'items')}`;
}
