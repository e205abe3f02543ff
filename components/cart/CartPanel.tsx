import cartStyles from '../../static/css/cart.css?text';
import { useSite } from '../api/site';
import { type Format, formatOf } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Modal } from '../ui/Modal';
import { useKeptFocus } from '../ui/useKeptFocus';
import { useStyles } from '../ui/useStyles';
import { CartNotices } from './CartNotices';
import { CartTotals, CheckoutLink } from './CartSummary';
import { EmptyCart } from './EmptyList';
import { LineRow } from './LineRow';
import { closePanel, usePanel } from './panelStore';
import { RemovedNote } from './RemovedNote';
import { useShownCart } from './useShownCart';

/** The cart at the side of every page. */
export function CartPanel() {
  useStyles(cartStyles);
  const isOpen = usePanel();
  const format = formatOf(useSite());
  if (!isOpen) return null;
  return (
    <Modal className="cart-panel" labelledBy="cart-panel-title" onClose={closePanel}>
      <div className="cart-panel__inner">
        <PanelBody format={format} />
      </div>
    </Modal>
  );
}

function PanelBody({ format }: { format: Format }) {
  const { cart, quote } = useShownCart(true);
  const isEmpty = cart.lines.length === 0;
  const heading = useKeptFocus<HTMLHeadingElement>(cart.lines.length);
  return (
    <>
      <div className="cart-panel__head">
        <h2 className="cart-panel__title" id="cart-panel-title" ref={heading} tabIndex={-1}>
          Your cart
        </h2>
        <button type="button" className="icon-button" aria-label="Close the cart" onClick={closePanel}>
          <Icon name="close" />
        </button>
      </div>
      <div className="cart-panel__scroll">
        <CartNotices quote={quote} format={format} />
        <RemovedNote />
        {isEmpty ? (
          <EmptyCart />
        ) : (
          <ul className="lines">
            {cart.lines.map((shown) => (
              <LineRow key={shown.line.id} shown={shown} format={format} isCompact />
            ))}
          </ul>
        )}
      </div>
      {!isEmpty && (
        <div className="cart-panel__foot">
          <CartTotals cart={cart} format={format} />
          <CheckoutLink />
          <a className="button button--wide" href="/cart">
            View cart
          </a>
        </div>
      )}
    </>
  );
}
