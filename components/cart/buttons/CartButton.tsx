import { type ComponentType, type MouseEvent, useState } from 'react';
import { isOnPage } from '../browser/address';
import { Icon } from '../ui/Icon';
import { countOf, useCart } from './cartStore';
import { needed } from './intent';
import { openPanel } from './panelStore';

const loadPanel = () => import('./CartPanel');

/** Leads to the cart; with script it opens the panel at the side. The count comes after hydration, in a place of its own. */
export function CartButton() {
  const { hasChanged, lines } = useCart();
  const [Panel, setPanel] = useState<ComponentType | null>(null);
  const count = countOf(lines);
  const items = count === 1 ? 'item' : 'items';

  async function open(event: MouseEvent) {
    if (isOnPage('/cart') || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { CartPanel } = await needed(loadPanel());
    setPanel(() => CartPanel);
    openPanel();
  }

  return (
    <>
      <a
        className="cart-button"
        href="/cart"
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
      {/* Silent until the count changes under the visitor's hands. */}
      <span className="sr-only" aria-live="polite">
        {hasChanged ? `${count} ${items} in your cart` : ''}
      </span>
      {Panel && <Panel />}
    </>
  );
}
