import { useEffect } from 'react';
import cartStyles from '../../static/css/cart.css?text';
import { useSite } from '../api/site';
import { type Format, formatOf, plural } from '../ui/format';
import { useKeptFocus } from '../ui/useKeptFocus';
import { useStyles } from '../ui/useStyles';
import { CartNotices } from './CartNotices';
import { CartSummary } from './CartSummary';
import { ClearCart } from './ClearCart';
import { countOf, useCart } from './cartStore';
import { EmptyCart } from './EmptyList';
import { LineRow } from './LineRow';
import { RemovedNote } from './RemovedNote';
import { forgetRemoved } from './removedStore';
import { SavedLines } from './SavedLines';
import type { ShownCart } from './shownCart';
import { useShownCart } from './useShownCart';

/** The whole of /cart. */
export function CartView() {
  useStyles(cartStyles);
  const format = formatOf(useSite());
  const { saved } = useCart();
  const { cart, quote } = useShownCart(true);
  useEffect(() => () => forgetRemoved(), []);
  return (
    <div className="cart-page">
      <CartHead cart={cart} format={format} />
      <CartNotices quote={quote} format={format} />
      <RemovedNote />
      {cart.lines.length === 0 ? (
        <EmptyCart />
      ) : (
        <div className="cart-page__columns">
          <section aria-labelledby="lines-title">
            <h2 className="sr-only" id="lines-title">
              Items
            </h2>
            <ul className="lines" aria-busy={quote.isAsking}>
              {cart.lines.map((shown) => (
                <LineRow key={shown.line.id} shown={shown} format={format} />
              ))}
            </ul>
          </section>
          <CartSummary cart={cart} format={format} />
        </div>
      )}
      <SavedLines lines={saved} server={quote.cart} format={format} />
    </div>
  );
}

function CartHead({ cart, format }: { cart: ShownCart; format: Format }) {
  const lines = cart.lines.map(({ line }) => line);
  const count = countOf(lines);
  const heading = useKeptFocus<HTMLHeadingElement>(lines.length);
  return (
    <div className="cart-page__head">
      <div>
        <h1 className="cart-page__title" ref={heading} tabIndex={-1}>
          Your cart
        </h1>
        {count > 0 && (
          <p className="cart-page__count">{`${format.count(count)} ${plural(count, 'item', 'items')}`}</p>
        )}
      </div>
      {count > 0 && <ClearCart lines={lines} />}
    </div>
  );
}
