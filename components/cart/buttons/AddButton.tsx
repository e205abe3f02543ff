import type { Product } from '../actions/cartActions';
import { prepareActions } from '../actions/loadCartActions';
import { useAdding } from './useAdding';

/** `href`: of its page; that of a course leads to the owned one too. */
type SoldProduct = Product & { href?: string };

/**
 * The button of a card, which adds to the cart, or enrols in a free course. What is in the cart has a link to it in the
 * button's space, and what the learner owns, once the session is known, a link to the course. Without script the form of
 * the list posts it.
 */
export function AddButton({ product }: { product: SoldProduct }) {
  const { isOwned, isInCart, link, add, follow } = useAdding(product, 1);
  const { id, name } = product;
  // The form of the list enrols by itself: no script has a part in it.
  const isFree = product.kind === 'course' && product.price === 0;
  const text = isOwned ? 'Go to course' : isInCart ? 'In cart' : isFree ? 'Enrol for free' : 'Add to cart';
  if (isOwned || isInCart)
    return (
      <a
        className="add add--card add--in"
        href={isOwned ? ownedHref(product) : '/cart'}
        ref={link}
        aria-label={`${text}: ${name}`}
        onClick={follow}
      >
        {text}
      </a>
    );
  return (
    // biome-ignore lint/a11y/useButtonType: a button submits by default, and a list has 24 of them
    <button
      className="add add--card"
      aria-label={`${text}: ${name}`}
      onPointerEnter={prepareActions}
      onFocus={prepareActions}
      name={isFree ? 'enrol' : 'id'}
      value={id}
      onClick={isFree ? undefined : add}
    >
      {text}
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
