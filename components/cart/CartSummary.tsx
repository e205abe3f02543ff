import { type RefObject, useId, useState } from 'react';
import { useAuth } from '../api/auth';
import { useOffer } from '../api/offer';
import { useSite } from '../api/site';
import { type Format, plural } from '../format/format';
import { minorOf } from '../model/money';
import { discountLabel } from '../model/priceSteps';
import { isServed } from '../model/servedPages';
import { Icon } from '../ui/Icon';
import { useRestoredFocus } from '../ui/useRestoredFocus';
import { changeCoupon } from './actions/cartChanges';
import { notifyRefusal } from './actions/notifyRefusal';
import { CouponCodeForm } from './CouponCodeForm';
import { CartLink } from './links/CartLink';
import { countOf } from './store/cartStore';
import type { PricedCart } from './store/pricedCart';
import { useQuoteState } from './store/quoteStore';

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

type CartCouponProps = { cart: PricedCart; format: Format };

/** The coupon of the whole cart and its discount, or a field for a code with the codes that are available. */
function CartCoupon({ cart, format }: CartCouponProps) {
  // The button that removed the coupon is gone with it.
  const place = useRestoredFocus<HTMLElement>(cart.coupon ? 1 : 0);
  if (!cart.coupon) return <NoCoupon place={place} />;
  const { code, refusal } = cart.coupon;
  return (
    <div className="coupon">
      <p className="code-chip">
        <Icon name="tag" />
        <span>
          <strong>{code ?? 'Your coupon'}</strong>
          <CouponTerms format={format} />
        </span>
        <button
          type="button"
          className="code-chip__remove"
          aria-label={`Remove coupon ${code ?? ''}`}
          onClick={() => void notifyRefusal(changeCoupon(''))}
        >
          Remove
        </button>
      </p>
      {refusal && (
        <p className="coupon__refusal" role="status">
          {refusal.message}
        </p>
      )}
    </div>
  );
}

/** "10% off courses from $50.00 on" */
function CouponTerms({ format }: { format: Format }) {
  const site = useSite();
  const { cart } = useQuoteState();
  if (!cart?.coupon) return null;
  const { discountPercentage, discountAmount, discountProductType, minimumAmount } = cart.coupon;
  const money = (amount: number) => format.money(minorOf(amount, site.currency) ?? 0);
  const off = discountPercentage > 0 ? format.percent(String(discountPercentage)) : money(discountAmount);
  const category = site.categories.find(({ slug }) => slug === discountProductType)?.name;
  const scope = { all: 'everything', course: 'courses', item: 'shop items' }[discountProductType] ?? category;
  const minimum = minimumAmount > 0 ? `, from ${money(minimumAmount)} on` : '';
  return <span className="code-chip__terms">{`${off} off ${scope ?? 'some of our titles'}${minimum}`}</span>;
}

function NoCoupon({ place }: { place: RefObject<HTMLElement | null> }) {
  return (
    <section className="coupon" ref={place} tabIndex={-1} aria-label="Coupon">
      <OfferChips />
      <CouponCodeForm label="Coupon for the whole cart" onSubmit={changeCoupon} />
    </section>
  );
}

/** Codes of the special offer and of the link that led here, applied with one click. */
function OfferChips() {
  const offer = useOffer();
  const linked = useAuth().couponId;
  const [problem, setProblem] = useState('');
  const codes = [...new Set([offer, linked])].filter(Boolean);
  if (codes.length === 0) return null;
  return (
    <div className="offers">
      {codes.map((code) => (
        <button
          type="button"
          key={code}
          className="offer-chip"
          onClick={() => void changeCoupon(code).then(setProblem)}
        >
          <Icon name="tag" />
          {code === offer ? 'Special offer' : 'From your link'}
          <strong>{code}</strong>
          <span className="offer-chip__use">Apply</span>
        </button>
      ))}
      <p className="code-form__problem" role="alert">
        {problem}
      </p>
    </div>
  );
}
