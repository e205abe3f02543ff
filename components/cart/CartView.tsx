import { useEffect, useState } from 'react';
import cartStyles from '../../static/css/cart.css?text';
import { useSite } from '../api/site';
import type { OfferedLines } from '../contracts/schema';
import { formatOf } from '../format/format';
import type { CartLine } from '../model/cartLine';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { useStyles } from '../ui/useStyles';
import { removeLines } from './actions/cartActions';
import { usePricedCart } from './actions/usePricedCart';
import { CartHead } from './CartHead';
import { CartNotices } from './CartNotices';
import { CartSummary } from './CartSummary';
import { EmptyCart } from './EmptyCart';
import { type LineAction, LineRow } from './LineRow';
import { Offered } from './links/Offered';
import { SavedLines } from './SavedLines';
import { countOf, useCart } from './store/cartStore';
import { CLEAR_CONFIRMATION } from './store/cartTexts';
import { clearRemoved } from './store/removedStore';
import { UndoNotice } from './UndoNotice';

type CartViewProps = {
  /** A further button on each line. */
  lineAction?: LineAction;
  /** What a link or a form brought along. */
  offered?: OfferedLines | null | undefined;
};

/** The whole of /cart. */
export function CartView({ lineAction, offered }: CartViewProps) {
  useStyles(cartStyles);
  const format = formatOf(useSite());
  const { saved } = useCart();
  const { cart, quote } = usePricedCart(true);
  const lines = cart.lines.map(({ line }) => line);
  useEffect(() => () => clearRemoved(), []);
  return (
    <div className="cart-page stack">
      <CartHead title="Your cart" count={countOf(lines)} entries={lines.length} format={format}>
        <ClearCart lines={lines} />
      </CartHead>
      <CartNotices quote={quote} format={format} />
      <UndoNotice />
      {offered && <Offered offered={offered} format={format} />}
      {lines.length === 0 ? (
        <EmptyCart />
      ) : (
        <div className="cart-page__columns stack">
          <section aria-labelledby="lines-title">
            <h2 className="sr-only" id="lines-title">
              Items
            </h2>
            <ul className="stack" aria-busy={quote.isLoading}>
              {cart.lines.map((item) => (
                <LineRow
                  key={item.line.id}
                  item={item}
                  format={format}
                  {...(lineAction ? { action: lineAction } : {})}
                />
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

/** Empties the cart after the confirmation that the specification prescribes. */
function ClearCart({ lines }: { lines: CartLine[] }) {
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <button type="button" className="line__action hint" onClick={() => setIsConfirming(true)}>
        Clear cart
      </button>
      {isConfirming && (
        <ConfirmDialog
          question={CLEAR_CONFIRMATION}
          text="What you saved for later and your wishlist stay as they are."
          yes="Clear cart"
          no="Keep my items"
          onYes={() => void removeLines(lines)}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}
