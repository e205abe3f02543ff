import { useSite } from '../../api/site';
import type { DashboardOrder } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { LearningPart } from '../LearningPart';

type OrdersProps = { orders: DashboardOrder[]; hasMore: boolean };

/** The last orders; absent without any. */
export function Orders({ orders, hasMore }: OrdersProps) {
  if (orders.length === 0) return null;
  const link = hasMore ? { href: '/user-dashboard?list=orders', text: 'All orders' } : null;
  return (
    <LearningPart title="Orders" link={link} className="panel learning-part--card">
      <OrderRows orders={orders} />
    </LearningPart>
  );
}

export function OrderRows({ orders }: { orders: DashboardOrder[] }) {
  const format = formatOf(useSite());
  return (
    <ul className="past-orders">
      {orders.map((order) => (
        <li className="past-orders__row" key={order.code}>
          <a className="past-orders__code" href={order.href}>
            {order.what || order.code}
          </a>
          <span>{format.price(order.total)}</span>
          <span className="hint">{format.date(order.placedAt)}</span>
          <span className="hint">{order.stateText}</span>
          <span className="hint past-orders__number">{`Order ${order.code}`}</span>
        </li>
      ))}
    </ul>
  );
}
