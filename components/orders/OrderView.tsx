import type { ReactNode } from 'react';
import orderStyles from '../../static/css/orders.css?text';
import { useSite } from '../api/site';
import { printPage } from '../browser/navigation';
import type { LocaleForms, Order } from '../contracts/schema';
import { dateTime } from '../format/dateTime';
import { type Format, formatOf } from '../format/format';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/controls/Button';
import { useStyles } from '../ui/useStyles';
import { OrderLines } from './lines/OrderLines';
import { OrderActions } from './OrderActions';
import { OrderDocuments } from './OrderDocuments';
import { OrderFacts } from './OrderFacts';
import { OrderPart } from './OrderPart';
import { OrderPayments } from './OrderPayments';
import { OrderTimeline } from './OrderTimeline';
import { OrderTotals } from './OrderTotals';
import { OrderTransfer, TRANSFER_TEXT } from './OrderTransfer';

type OrderViewProps = {
  order: Order;
  /** The form that asks for a refund. */
  refundForm?: ReactNode;
};

/** The whole of /order/{code}; printed, it is a receipt. */
export function OrderView({ order, refundForm }: OrderViewProps) {
  useStyles(orderStyles);
  const site = useSite();
  const format = formatOf(site);
  const { forms } = site;
  return (
    <div className="order-page">
      <header className="order-head">
        <div>
          <h1>Order {order.code}</h1>
          <p className="hint">{`Placed on ${dateTime(order.placedAt, forms)}`}</p>
        </div>
        <div className="order-head__print">
          <Button variant="quiet" onClick={printPage}>
            {order.paidAt ? 'Print the receipt' : 'Print the order'}
          </Button>
        </div>
      </header>
      <OrderState order={order} forms={forms} format={format} />
      <div className="order-columns">
        <div className="order-columns__main">
          <OrderPart id="lines" title={order.paidAt ? 'What you bought' : 'What you ordered'}>
            <OrderLines order={order} format={format} forms={forms} />
            <OrderTotals order={order} format={format} />
          </OrderPart>
          {refundForm}
          {order.withdrawHref && (
            <p className="order-withdraw">
              <a href={order.withdrawHref}>Withdraw from contract</a>
            </p>
          )}
        </div>
        <div className="order-columns__aside">
          <OrderPart id="facts" title="Details">
            <OrderFacts order={order} />
          </OrderPart>
          <OrderPayments order={order} format={format} forms={forms} />
          <OrderDocuments order={order} format={format} />
        </div>
        <OrderTimeline events={order.events} forms={forms} />
      </div>
    </div>
  );
}

function OrderState({ order, forms, format }: { order: Order; forms: LocaleForms; format: Format }) {
  return (
    <section className="order-state panel" aria-labelledby="state-title">
      <h2 className="heading-m" id="state-title">
        <Badge tone={order.tone} text={order.stateText} />
      </h2>
      <p>{order.transfer ? TRANSFER_TEXT : order.nextStep}</p>
      {order.canPay && order.reservedUntil && (
        <p>{`Reserved for you until ${dateTime(order.reservedUntil, forms)}.`}</p>
      )}
      {order.transfer && <OrderTransfer transfer={order.transfer} format={format} />}
      <OrderActions order={order} />
    </section>
  );
}
