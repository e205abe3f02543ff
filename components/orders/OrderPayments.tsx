import type { LocaleForms, Order, OrderRefund } from '../contracts/schema';
import { dateTime } from '../format/dateTime';
import type { Format } from '../format/format';
import { isolated } from '../model/isolated';
import { OrderPart } from './OrderPart';

type OrderPaymentsProps = { order: Order; format: Format; forms: LocaleForms };

/** Whether the money went back, or is on its way. */
const isBack = ({ state }: OrderRefund) => !['requested', 'declined', 'failed'].includes(state);

/** What came back to the shop after a dispute is no refund: its amount is below 0. */
const amountText = (refund: OrderRefund, format: Format) =>
  `${isBack(refund) && refund.amount > 0 ? '−' : ''}${format.money(Math.abs(refund.amount))}`;

/** Nothing may be left of the price of what stays the buyer's. */
const notBackText = ({ quantity, name, amount }: OrderRefund['notBack'][number], format: Format) =>
  `${quantity > 1 ? `${quantity} × ` : ''}${isolated(name)}${amount > 0 ? `, ${format.money(amount)}` : ''}`;

/** Each attempt to pay, and what has gone back. */
export function OrderPayments({ order: { payments, refunds }, format, forms }: OrderPaymentsProps) {
  if (payments.length === 0 && refunds.length === 0) return null;
  return (
    <OrderPart id="payments" title="Payments">
      <ul className="order-rows">
        {payments.map((payment) => (
          <li key={payment.number} className="order-row">
            <p className="order-row__name">
              {payment.method || `Payment ${payment.number}`}
              <span className="hint">{`${payment.stateText}, ${dateTime(payment.paidAt ?? payment.at, forms)}`}</span>
              {payment.failure && <span className="hint">{payment.failure}</span>}
            </p>
            <p className="order-row__amount">{format.money(payment.amount)}</p>
          </li>
        ))}
        {refunds.map((refund) => (
          <li key={`refund ${refund.number}`} className="order-row">
            <p className="order-row__name">
              {`Refund ${refund.number}: ${refund.stateText}`}
              <span className="hint">{`${refund.reasonText}, ${dateTime(refund.at, forms)}`}</span>
              {refund.lines.map((line) => (
                <span key={line.number} className="hint">
                  {line.quantity > 1 ? `${line.quantity} × ${line.name}` : line.name}
                </span>
              ))}
              {refund.note && <span className="hint">{`“${refund.note}”`}</span>}
              {refund.notBack.map((line) => (
                <span key={`not back ${line.number}`} className="hint">
                  {`Not given back: ${notBackText(line, format)}`}
                </span>
              ))}
              {refund.answer && <span className="hint">{`Our answer: ${refund.answer}`}</span>}
            </p>
            <p className="order-row__amount">{amountText(refund, format)}</p>
          </li>
        ))}
      </ul>
    </OrderPart>
  );
}
