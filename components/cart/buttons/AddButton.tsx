import type { Product } from '../actions/cartActions';
import { prepareActions } from '../actions/loadCartActions';
import { useAdding } from './useAdding';

/** `href`: of its page; that of a course leads to the owned one too. */
type SoldProduct = Product & { href?: string };

/**
 * The button of a card, which adds to the cart. What is in the cart has a link to it in the button's space, and what the
 * learner owns, once the session is known, a link to the course. Without script the form of the list posts it.
 */
export function AddButton({ product }: { product: SoldProduct }) {
  const { isOwned, isInCart, link, add, follow } = useAdding(product, 1);
  const { id, name, href } = product;
  if (isOwned)
    return (
      <a className="add add--card add--in" href={ownedHref(product)} aria-label={`Go to course: ${name}`}>
        Go to course
      </a>
    );
  if (isInCart)
    return (
      <a
        className="add add--card add--in"
        href="/cart"
        ref={link}
        aria-label={`In cart: ${name}`}
        onClick={follow}
      >
        In cart
      </a>
    );
  // Its page enrols without the cart.
  if (product.kind === 'course' && product.price === 0)
    return (
      <a className="add add--card" href={href} aria-label={`Enrol for free: ${name}`}>
        Enrol for free
      </a>
    );
  return (
    // biome-ignore lint/a11y/useButtonType: a button submits by default, and a list has 24 of them
    <button
      className="add add--card"
      aria-label={`Add to cart: ${name}`}
      onPointerEnter={prepareActions}
      onFocus={prepareActions}
      name="id"
      value={id}
      onClick={add}
    >
      Add to cart
    </button>
  );
}

/** The page on which an owned course is learnt. */
export function ownedHref({ href }: SoldProduct): string {
  return `/user-dashboard?${href?.split('?')[1] ?? ''}`;
}

/** The action of a card in a list. */
export function cardAction(card: SoldProduct) {
  return <AddButton product={card} />;
}
