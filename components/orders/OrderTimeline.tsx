import type { LocaleForms, Order } from '../contracts/schema';
import { dateTime } from '../format/dateTime';
import { OrderPart } from './OrderPart';

/** What happened to the order, the first event first. */
export function OrderTimeline({ events, forms }: { events: Order['events']; forms: LocaleForms }) {
  return (
    <OrderPart id="timeline" title="What happened" className="order-part--screen">
      <ol className="order-timeline">
        {events.map(({ at, text }) => (
          <li key={at + text}>
            <time className="hint" dateTime={at}>
              {dateTime(at, forms)}
            </time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </OrderPart>
  );
}
