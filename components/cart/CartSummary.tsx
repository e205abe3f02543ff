import { useId } from 'react';
import { type Format, plural } from '../format/format';
import { discountLabel } from '../model/priceSteps';
import { isServed } from '../model/servedPages';
import { CartCoupon } from './CartCoupon';
import { CartLink } from './links/CartLink';
import { countOf } from './store/cartStore';
import type { PricedCart } from './store/pricedCart';

type CartTotalsProps = { cart: PricedCart; format: Format };

/** The totals. What coupons take off once is a row of its own below the sum of the lines. */
export function CartTotals({ cart, format }: CartTotalsProps) {
  const sold = cart.lines.filter(({ problem }) => !problem).map(({ line }) => line);
  const count = countOf(sold);
  const regularTotal = sold.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const saved = regularTotal + cart.tax - cart.total;
  return (
    <div>
      <dl className="totals">
        <div className="totals__row">
          <dt>{`${format.count(count)} ${plural(count, 'item', 'items')}`}</dt>
          <dd>{format.money(cart.subtotal)}</dd>
        </div>
        {(cart.discount > 0 || (cart.coupon && !cart.coupon.refusal)) && (
          <div className="totals__row totals__row--off">
            <dt>{discountOf(cart)}</dt>
            <dd>{cart.discount > 0 ? `−${format.money(cart.discount)}` : format.money(0)}</dd>
          </div>
        )}
        {cart.tax > 0 && (
          <div className="totals__row">
            <dt>Tax</dt>
            <dd>{format.money(cart.tax)}</dd>
          </div>
        )}
        <div className="totals__row totals__row--total">
          <dt>Total</dt>
          <dd>{format.money(cart.total)}</dd>
        </div>
      </dl>
      {saved > 0 && <p className="totals__saved">{`You save ${format.money(saved)}`}</p>}
    </div>
  );
}

/** A coupon that the server has not named yet has no name. */
function discountOf({ lines, discount, coupon }: PricedCart): string {
  if (coupon && (!coupon.code || discount === 0)) return coupon.code ? `Coupon ${coupon.code}` : 'Coupon';
  return discountLabel(lines.map(({ steps, unit, line }) => ({ steps, units: unit * line.quantity })));
}

/** Totals, the coupon, and the link to the checkout. */
export function CartSummary({ cart, format }: CartTotalsProps) {
  const id = useId();
  return (
    <section className="summary panel" aria-labelledby={id}>
      <h2 className="heading-m" id={id}>
        Summary
      </h2>
      <CartTotals cart={cart} format={format} />
      <p className="sr-only" role="status">{`Total ${format.money(cart.total)}`}</p>
      <CheckoutLink />
      <CartCoupon cart={cart} format={format} />
      <p className="hint">
        Prices are checked again before you pay, and nothing is charged here. See{' '}
        <a href="/refund-grievance-policy">how refunds work</a>.
      </p>
      <CartLink lines={cart.lines.map(({ line }) => line)} />
    </section>
  );
}

export function CheckoutLink() {
  if (!isServed('checkout') || !isServed('completed')) return null;
  return (
    <a className="button button--accent button--wide" href="/checkout">
      Check out
    </a>
  );
}
