import { useMemo } from 'react';
import { readCouponInfo } from '../browser/keptCoupon';
import { useCart } from './cartStore';
import { type QuoteState, useQuote } from './quoteStore';
import { type ShownCart, shownCart } from './shownCart';

/** The cart as whoever shows it draws it, with prices asked for while `isShown`. */
export function useShownCart(isShown: boolean): { cart: ShownCart; quote: QuoteState } {
  const { lines } = useCart();
  const quote = useQuote(isShown);
  const cart = useMemo(() => shownCart(lines, quote.cart, readCouponInfo()), [lines, quote.cart]);
  return { cart, quote };
}
