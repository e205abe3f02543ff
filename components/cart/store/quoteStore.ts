import { useSyncExternalStore } from 'react';
import type { QuotedLine, ServerCart } from '../../api/cart';
import { writeCouponInfo } from '../../browser/storage/couponStorage';
import type { PriceChange } from '../../browser/storage/priceChangeStorage';
import { createStore } from '../../browser/store';
import type { CartLine } from '../../model/cartLine';

/** The server's last quote, whether one is loading, and the error of the last attempt. */
export type QuoteState = {
  cart: ServerCart | null;
  isLoading: boolean;
  problem: string | null;
  changes: PriceChange[];
};

const NO_QUOTE: QuoteState = { cart: null, isLoading: false, problem: null, changes: [] };
const store = createStore<QuoteState>(NO_QUOTE);

export const currentQuote = store.get;
export const updateQuote = (change: Partial<QuoteState>) => store.set({ ...store.get(), ...change });
export const resetQuote = () => store.set(NO_QUOTE);

export function useQuoteState(): QuoteState {
  return useSyncExternalStore(store.subscribe, store.get, () => NO_QUOTE);
}

/** A refused line is no part of the account's cart. */
export const countedLines = (lines: readonly CartLine[]) => lines.filter((line) => line.status !== 'refused');

/** Whether the server's cart is of exactly these lines. */
export function matchesLines(cart: ServerCart | null, lines: readonly CartLine[]): boolean {
  if (!cart) return false;
  const quantities = new Map(cart.lines.map((line) => [line.id, line.quantity]));
  const expected = countedLines(lines).filter((line) => !cart.unavailable.includes(line.id));
  return (
    expected.length === quantities.size && expected.every((line) => quantities.get(line.id) === line.quantity)
  );
}

export function applyQuote(cart: ServerCart, changes: PriceChange[]): void {
  writeCouponInfo(cart.coupon);
  updateQuote({ cart, changes, problem: null });
}

export function priceChange(quoted: QuotedLine, from: number | null): PriceChange[] {
  const to = quoted.salePrice ?? quoted.listPrice;
  return from === null || from === to ? [] : [{ id: quoted.id, name: quoted.name, from, to }];
}

export function lineOf(quoted: QuotedLine): CartLine {
  return {
    id: quoted.id,
    name: quoted.name,
    price: quoted.listPrice,
    discountPrice: quoted.unitPrice === quoted.listPrice ? null : quoted.unitPrice,
    quantity: quoted.quantity,
    discount: quoted.unitDiscount,
    discountCode: quoted.code,
    status: 'registered',
  };
}
