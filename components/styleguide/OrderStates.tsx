import { useEffect, useState } from 'react';
import orderStyles from '../../static/css/orders.css?text';
import refundStyles from '../../static/css/refund-form.css?text';
import type { OrderLine, OrderRefund } from '../contracts/schema';
import { FORMAT, SITE } from '../fixtures/catalogue';
import { DIGITAL_BOOK, openOrder, order, orderGift, orderLine, VOUCHER } from '../fixtures/orders/orders';
import { refundForm } from '../fixtures/orders/refunds';
import { OrderLines } from '../orders/lines/OrderLines';
import { OrderActions } from '../orders/OrderActions';
import { OrderDocuments } from '../orders/OrderDocuments';
import { OrderFacts } from '../orders/OrderFacts';
import { OrderPayments } from '../orders/OrderPayments';
import { OrderTimeline } from '../orders/OrderTimeline';
import { OrderTotals } from '../orders/OrderTotals';
import { RefundLines } from '../orders/refunds/RefundLines';
import { Badge } from '../ui/Badge';
import { useStyles } from '../ui/useStyles';
import { Group, State } from './guide/Guide';
import { UNBROKEN } from './guide/texts';

const noop = () => undefined;
const AT = '2026-09-20T12:00:00Z';
const SHIPPED: Partial<OrderLine> = { fulfilment: 'shipped', learn: [], href: '/shop-details/12' };
const REFUND: OrderRefund = {
  number: 1,
  state: 'requested',
  stateText: 'Requested: we will answer by email',
  reason: 'request',
  reasonText: 'You asked for it',
  note: UNBROKEN,
  amount: 2000,
  lines: [{ number: 1, name: 'SQL for spreadsheet people', quantity: 1, amount: 2000 }],
  notBack: [],
  answer: '',
  at: AT,
  changedAt: AT,
};
const IN_PART: OrderRefund = {
  ...REFUND,
  number: 2,
  state: 'succeeded',
  stateText: 'Paid back in part',
  note: '',
  amount: 500,
  notBack: [{ number: 1, name: UNBROKEN, quantity: 3, amount: 1500 }],
  answer: 'Three of them were read. What was not opened goes back.',
};
const STATES = [
  ['Waiting for payment', 'warning'],
  ['Payment on its way', 'info'],
  ['Paid', 'good'],
  ['Paid, disputed', 'warning'],
  ['Expired', 'neutral'],
  ['Cancelled', 'neutral'],
  ['Refunded', 'info'],
  ['Refund failed', 'warning'],
] as const;
const [PAYMENT] = order().payments;
const DECLINED = { state: 'failed', stateText: 'Failed', failure: 'Your card was declined.' } as const;
const ORDER = order({
  lines: [
    orderLine(),
    orderLine(VOUCHER),
    orderLine(DIGITAL_BOOK),
    orderLine({ ...SHIPPED, number: 4, name: 'A printed book', unusedOffers: [] }),
    orderLine({
      ...SHIPPED,
      number: 5,
      name: UNBROKEN,
      shippedAt: AT,
      refunded: 2000,
      owed: 500,
      unusedOffers: [],
    }),
    orderLine({
      number: 6,
      gift: orderGift(),
      learn: [],
    }),
  ],
  totals: { ...order().totals, refunded: 2000, owed: 500 },
  payments: PAYMENT
    ? [
        { ...PAYMENT, number: 2 },
        { ...PAYMENT, ...DECLINED },
      ]
    : [],
  refunds: [REFUND, IN_PART],
  vatId: 'DE136695976',
  purchaseOrder: 'PO-2026/0471',
  delivery: ['Ada Lovelace', UNBROKEN, 'Germany'],
});

export function OrderStates() {
  useStyles(orderStyles);
  useStyles(refundStyles);
  const [isInBrowser, setIsInBrowser] = useState(false);
  // Times are those of the visitor's time zone, which the server does not know.
  useEffect(() => setIsInBrowser(true), []);
  return (
    <Group id="orders" title="Orders">
      <State label="States">
        <div className="guide__row row">
          {STATES.map(([text, tone]) => (
            <Badge key={text} tone={tone} text={text} />
          ))}
        </div>
      </State>
      {isInBrowser && <OrderParts />}
    </Group>
  );
}

function OrderParts() {
  return (
    <>
      <State label="Lines: course, codes, files, not sent yet, sent and refunded, a gift">
        <OrderLines order={ORDER} format={FORMAT} forms={SITE.forms} />
      </State>
      <State label="Sums: tax added, and refunded; tax included">
        <OrderTotals order={ORDER} format={FORMAT} />
        <OrderTotals order={order({ priceMode: 'inclusive' })} format={FORMAT} />
      </State>
      <State label="What can be done before it is paid">
        <OrderActions order={openOrder()} />
      </State>
      <State label="What can be returned, and what cannot">
        <RefundLines lines={refundForm().lines} chosen={{}} format={FORMAT} onChoose={noop} />
      </State>
      <State label="Paid, declined, refund requested; documents; details; timeline" ground="bare">
        <OrderPayments order={ORDER} format={FORMAT} forms={SITE.forms} />
        <OrderDocuments order={ORDER} format={FORMAT} />
        <OrderFacts order={ORDER} />
        <OrderTimeline events={ORDER.events} forms={SITE.forms} />
      </State>
    </>
  );
}
