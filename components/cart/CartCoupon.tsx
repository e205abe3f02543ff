import { type RefObject, useState } from 'react';
import { useAuth } from '../api/auth';
import { useOffer } from '../api/offer';
import { useSite } from '../api/site';
import type { Format } from '../format/format';
import { minorOf } from '../model/money';
import { Icon } from '../ui/Icon';
import { useRestoredFocus } from '../ui/useRestoredFocus';
import { changeCoupon } from './actions/cartChanges';
import { notifyRefusal } from './actions/notifyRefusal';
import { CouponCodeForm } from './CouponCodeForm';
import type { PricedCart } from './store/pricedCart';
import { useQuoteState } from './store/quoteStore';

type CartCouponProps = { cart: PricedCart; format: Format };

/** The coupon of the whole cart and its discount, or a field for a code with the codes that are available. */
export function CartCoupon({ cart, format }: CartCouponProps) {
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
