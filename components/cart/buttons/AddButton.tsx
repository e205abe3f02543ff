import { type MouseEvent, useEffect, useRef } from 'react';
import { useSession } from '../../api/auth';
import { restoreFocus } from '../../browser/focus';
import { AddForm } from '../../forms/AddForm';
import { Icon } from '../../ui/Icon';
import type { Product } from '../actions/cartActions';
import { loadActions, prepareActions } from '../actions/loadCartActions';
import { useCart } from '../store/cartStore';

type AddButtonProps = {
  /** `href`: of its page; that of a course leads to the owned one too. */
  product: Product & { href?: string };
  /** The quantity that a click adds, from the counter of a shop item. */
  quantity?: number;
  /** A card has space for a short label only. */
  variant?: 'card' | 'wide';
};

/** Milliseconds after a press in which the second one of a double click neither adds again nor follows the link. */
const DOUBLE_CLICK_MS = 500;

/**
 * Adds a course or shop item to the cart. What is in the cart has a link to it in the button's space, and what the
 * learner owns, once the session is known, a link to the course. Without script the button posts its form, which for
 * cards is that of their list.
 */
export function AddButton({ product, quantity = 1, variant = 'card' }: AddButtonProps) {
  // A host of the build before does not say what is owned.
  const isOwned = useSession()?.owned?.includes(product.id);
  const isInCart = useCart().lines.some((line) => line.id === product.id);
  const pressedAt = useRef(0);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // The button that had the focus has become the link; on load nobody has pressed it.
    if (isInCart && pressedAt.current > 0) restoreFocus(link.current);
  }, [isInCart]);
  const isCard = variant === 'card';

  function isDoubleClick(event: MouseEvent): boolean {
    return pressedAt.current > 0 && event.timeStamp - pressedAt.current < DOUBLE_CLICK_MS;
  }

  function follow(event: MouseEvent): void {
    if (isDoubleClick(event)) event.preventDefault();
  }

  async function add(event: MouseEvent) {
    event.preventDefault();
    if (isDoubleClick(event)) return;
    pressedAt.current = event.timeStamp;
    const actions = await loadActions();
    await actions.addToCart(product, quantity);
  }

  if (isOwned)
    return (
      <a
        className={`add add--${variant} add--in`}
        href={`/user-dashboard?${product.href?.split('?')[1] ?? ''}`}
        aria-label={`Go to course: ${product.name}`}
      >
        Go to course
      </a>
    );
  // Its page enrols without the cart.
  if (isCard && product.kind === 'course' && product.price === 0 && product.href)
    return (
      <a className="add add--card" href={product.href} aria-label={`Enrol for free: ${product.name}`}>
        Enrol for free
      </a>
    );
  if (isInCart) {
    const toCart = (
      <a
        className={`add add--${variant} add--in`}
        href="/cart"
        ref={link}
        aria-label={isCard ? `In cart: ${product.name}` : undefined}
        onClick={follow}
      >
        {!isCard && <Icon name="check" />}
        {isCard ? 'In cart' : 'In your cart'}
      </a>
    );
    if (isCard) return toCart;
    return (
      <span className="add-next">
        {toCart}
        <a className="add add--wide" href="/checkout" onClick={follow}>
          Check out
        </a>
      </span>
    );
  }
  const button = (
    // biome-ignore lint/a11y/useButtonType: a button submits by default, and a list has 24 of them
    <button
      className={`add add--${variant}`}
      aria-label={isCard ? `Add to cart: ${product.name}` : undefined}
      onPointerEnter={prepareActions}
      onFocus={prepareActions}
      name="id"
      value={product.id}
      onClick={add}
    >
      {!isCard && <Icon name="cart" />}
      Add to cart
    </button>
  );
  return isCard ? button : <AddForm>{button}</AddForm>;
}

/** The action of a card in a list. */
export function cardAction(card: AddButtonProps['product']) {
  return <AddButton product={card} />;
}
