import type { MouseEvent } from 'react';
import { useSession } from '../../api/auth';
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

/**
 * Adds a course or shop item to the cart. Every click calls the server again (specification §4). What the learner owns
 * is not sold again: a link to it takes the button's space once the session is known. Without script it posts its form, which
 * for cards is that of their list.
 */
export function AddButton({ product, quantity = 1, variant = 'card' }: AddButtonProps) {
  // A host of the build before does not say what is owned.
  const isOwned = useSession()?.owned?.includes(product.id);
  const isInCart = useCart().lines.some((line) => line.id === product.id);
  const text = isInCart ? 'In your cart' : 'Add to cart';
  const label = variant === 'card' ? text.replace('your ', '') : text;

  async function add(event: MouseEvent) {
    event.preventDefault();
    const actions = await loadActions();
    await actions.addToCart(product, quantity);
  }

  if (isOwned)
    return (
      <a
        className={`add add--${variant} add--in add--owned`}
        href={`/user-dashboard?${product.href?.split('?')[1] ?? ''}`}
        aria-label={`Go to course: ${product.name}`}
      >
        Go to course
      </a>
    );
  const button = (
    // biome-ignore lint/a11y/useButtonType: a button submits by default, and a list has 24 of them
    <button
      className={`add add--${variant}${isInCart ? ' add--in' : ''}`}
      aria-label={variant === 'card' ? `${label}: ${product.name}` : undefined}
      onPointerEnter={prepareActions}
      onFocus={prepareActions}
      name="id"
      value={product.id}
      onClick={add}
    >
      {variant === 'wide' && <Icon name={isInCart ? 'check' : 'cart'} />}
      {label}
    </button>
  );
  return variant === 'wide' ? <AddForm>{button}</AddForm> : button;
}

/** The action of a card in a list. */
export function cardAction(card: AddButtonProps['product']) {
  return <AddButton product={card} />;
}
