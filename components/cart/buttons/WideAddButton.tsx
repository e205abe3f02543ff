import { AddForm } from '../../forms/AddForm';
import { Icon } from '../../ui/Icon';
import type { Product } from '../actions/cartActions';
import { prepareActions } from '../actions/loadCartActions';
import { ownedHref } from './AddButton';
import { useAdding } from './useAdding';

type WideAddButtonProps = {
  product: Product & { href?: string };
  /** How many a press adds, from the counter of a shop item. */
  quantity?: number;
};

/** The button of a product's own page: as that of its card, with the way on to the checkout. It posts a form of its own. */
export function WideAddButton({ product, quantity = 1 }: WideAddButtonProps) {
  const { isOwned, isInCart, link, add, follow } = useAdding(product, quantity);
  if (isOwned)
    return (
      <a
        className="add add--wide add--in"
        href={ownedHref(product)}
        aria-label={`Go to course: ${product.name}`}
      >
        Go to course
      </a>
    );
  if (isInCart)
    return (
      <span className="add-next">
        <a className="add add--wide add--in" href="/cart" ref={link} onClick={follow}>
          <Icon name="check" />
          In your cart
        </a>
        {/* By keyboard nobody comes from the button to this link by pressing twice. */}
        <a className="add add--wide" href="/checkout" onClick={(event) => event.detail > 0 && follow(event)}>
          Check out
        </a>
      </span>
    );
  return (
    <AddForm>
      <button
        type="submit"
        className="add add--wide"
        onPointerEnter={prepareActions}
        onFocus={prepareActions}
        name="id"
        value={product.id}
        onClick={add}
      >
        <Icon name="cart" />
        Add to cart
      </button>
    </AddForm>
  );
}
