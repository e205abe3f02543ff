import cartStyles from '../../static/css/cart.css?text';
import { useSite } from '../api/site';
import { type Format, formatOf } from '../format/format';
import { Icon } from '../ui/Icon';
import { Modal } from '../ui/Modal';
import { useRestoredFocus } from '../ui/useRestoredFocus';
import { useStyles } from '../ui/useStyles';
import { usePricedCart } from './actions/usePricedCart';
import { CartNotices } from './CartNotices';
import { CartTotals, CheckoutLink } from './CartSummary';
import { EmptyCart } from './EmptyCart';
import { LineRow } from './LineRow';
import { closePanel, usePanel } from './store/panelStore';
import { UndoNotice } from './UndoNotice';

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
  const { cart, quote } = usePricedCart(true);
  const isEmpty = cart.lines.length === 0;
  const heading = useRestoredFocus<HTMLHeadingElement>(cart.lines.length);
  return (
    <>
      <div className="cart-panel__head">
        <h2 className="heading-m" id="cart-panel-title" ref={heading} tabIndex={-1}>
          Your cart
        </h2>
        <button type="button" className="icon-button" aria-label="Close the cart" onClick={closePanel}>
          <Icon name="close" />
        </button>
      </div>
      <div className="cart-panel__scroll">
        <CartNotices quote={quote} format={format} />
        <UndoNotice />
        {isEmpty ? (
          <EmptyCart />
        ) : (
          <ul className="stack">
            {cart.lines.map((item) => (
              <LineRow key={item.line.id} item={item} format={format} isCompact />
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
