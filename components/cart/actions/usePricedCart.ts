import { useMemo } from 'react';
import { useSite } from '../../api/site';
import { readCouponInfo } from '../../browser/storage/couponStorage';
import { useCart } from '../store/cartStore';
import { type PricedCart, pricedCart } from '../store/pricedCart';
import type { QuoteState } from '../store/quoteStore';
import { useQuote } from './refetchQuote';

/** The priced cart to render. Prices are fetched while `isShown`. */
export function usePricedCart(isVisible: boolean): { cart: PricedCart; quote: QuoteState } {
  const { lines } = useCart();
  const site = useSite();
  const quote = useQuote(isVisible);
  const cart = useMemo(
    () => pricedCart(lines, quote.cart, readCouponInfo(), site),
    [lines, quote.cart, site],
  );
  return { cart, quote };
}
