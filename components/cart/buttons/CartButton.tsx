import { type ComponentType, type MouseEvent, useState } from 'react';
import { isOnPage } from '../../browser/address';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { countOf, useCart } from '../store/cartStore';
import { openPanel } from '../store/panelStore';

const loadPanel = () => import('../CartPanel');

/**
 * Links to the cart; with JavaScript it opens the side panel. The count appears after hydration, without moving
 * anything.
 */
export function CartButton() {
  const { hasChanged, isKnown, lines } = useCart();
  const [Panel, setPanel] = useState<ComponentType | null>(null);
  const count = countOf(lines);
  const items = count === 1 ? 'item' : 'items';

  async function open(event: MouseEvent) {
    if (isOnPage('/cart') || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { CartPanel } = await loadOrReload(loadPanel());
    setPanel(() => CartPanel);
    openPanel();
  }

  return (
    <>
      <a
        className="cart-button"
        href="/cart"
        // Without JavaScript, and on /cart, it is a link like others.
        aria-haspopup={isKnown && !isOnPage('/cart') ? 'dialog' : undefined}
        onClick={(event) => void open(event)}
        onPointerEnter={() => void loadPanel().catch(() => undefined)}
      >
        <Icon name="cart" />
        <span className="cart-button__word">Cart</span>
        {count > 0 && (
          <span className="cart-button__count">
            {count > 99 ? '99+' : count}
            <span className="sr-only"> {items}</span>
          </span>
        )}
      </a>
      {/* Announced only when the count changes while the page is open. */}
      <span className="sr-only" aria-live="polite">
        {hasChanged ? `${count} ${items} in your cart` : ''}
      </span>
      {Panel && <Panel />}
    </>
  );
}
