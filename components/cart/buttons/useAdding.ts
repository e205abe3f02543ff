import { type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { useSession } from '../../api/auth';
import { restoreFocus } from '../../browser/focus';
import type { Product } from '../actions/cartActions';
import { loadActions } from '../actions/loadCartActions';
import { useIsInCart } from '../store/cartStore';

/** Milliseconds after a press in which the second one of a double click neither adds again nor follows the link. */
const DOUBLE_CLICK_MS = 500;

type Adding = {
  isOwned: boolean | undefined;
  isInCart: boolean;
  /** Takes the focus of the button whose place it takes. */
  link: RefObject<HTMLAnchorElement | null>;
  add: (event: MouseEvent) => Promise<void>;
  /** The click on a link that takes the place of the button. */
  follow: (event: MouseEvent) => void;
};

/** Adding a product to the cart by a button that then becomes a link to the cart. */
export function useAdding(product: Product, quantity: number): Adding {
  // A host of the build before does not say what is owned.
  const isOwned = useSession()?.owned?.includes(product.id);
  const isInCart = useIsInCart(product.id);
  const pressedAt = useRef(-DOUBLE_CLICK_MS);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // On load nobody has pressed the button.
    if (isInCart && pressedAt.current > 0) restoreFocus(link.current);
  }, [isInCart]);

  /** Whether it is the second press of a double click, which does nothing. */
  function isRepeated(event: MouseEvent): boolean {
    const isSecond = event.timeStamp - pressedAt.current < DOUBLE_CLICK_MS;
    if (isSecond) event.preventDefault();
    return isSecond;
  }

  return {
    isOwned,
    isInCart,
    link,
    follow: isRepeated,
    add: async (event) => {
      if (isRepeated(event)) return;
      event.preventDefault();
      pressedAt.current = event.timeStamp;
      const actions = await loadActions();
      await actions.addToCart(product, quantity);
    },
  };
}
