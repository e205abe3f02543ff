import checkoutStyles from '../../static/css/checkout.css?text';
import { useSite } from '../api/site';
import { MergeRefusals } from '../cart/MergeRefusals';
import type { Checkout, CheckoutRefused } from '../contracts/schema';
import { type Format, formatOf, plural } from '../format/format';
import { useStyles } from '../ui/useStyles';
import { CheckoutForm } from './CheckoutForm';
import { EmptyCheckout } from './EmptyCheckout';
import { OpenOrder } from './OpenOrder';
import { useCheckout } from './useCheckout';

type CheckoutViewProps = {
  first: Checkout;
  /** Why the form that this page answers placed no order. */
  refused?: CheckoutRefused | null;
  /** Where the receipt goes. */
  email: string;
};

/** The whole of /checkout. */
export function CheckoutView({ first, refused = null, email }: CheckoutViewProps) {
  useStyles(checkoutStyles);
  const format = formatOf(useSite());
  const model = useCheckout(first, refused);
  const { checkout } = model;
  return (
    <div className="checkout stack">
      <CheckoutHead checkout={checkout} format={format} />
      <MergeRefusals />
      {checkout.openOrder && <OpenOrder order={checkout.openOrder} format={format} />}
      {checkout.lines.length === 0 ? (
        <EmptyCheckout />
      ) : (
        <CheckoutForm model={model} email={email} format={format} />
      )}
    </div>
  );
}

function CheckoutHead({ checkout: { lines, totals }, format }: { checkout: Checkout; format: Format }) {
  const count = lines.reduce((sum, line) => sum + line.quantity, 0);
  return (
    <div className="checkout__head row">
      <h1>Checkout</h1>
      {count > 0 && (
        <p className="checkout__total">
          {`${format.count(count)} ${plural(count, 'item', 'items')}, ${format.money(totals.totalMinor)}. `}
          <a href="#order-summary">See your order</a>
        </p>
      )}
    </div>
  );
}
