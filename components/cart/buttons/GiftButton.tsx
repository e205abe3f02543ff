import { AddForm } from '../../forms/AddForm';
import { isServed } from '../../model/servedPages';
import { Icon } from '../../ui/Icon';
import type { Product } from '../actions/cartActions';

/** Adds a course as a gift, also one that the learner owns. It posts its form with script too: guests sign in first. */
export function GiftButton({ product }: { product: Product }) {
  if (!isServed('checkout') || !isServed('completed')) return null;
  return (
    <AddForm>
      <input type="hidden" name="gift" value="1" />
      <button type="submit" className="gift-button" name="id" value={product.id}>
        <Icon name="box" />
        Give as a gift
      </button>
    </AddForm>
  );
}
