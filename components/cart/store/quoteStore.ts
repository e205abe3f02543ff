import { useEffect, useRef, useSyncExternalStore } from 'react';
import { refreshAuth } from '../../api/auth';
import { getCart, getQuote, putSeen, type QuotedLine, type ServerCart } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import { onOtherTabsCoupon, writeCouponInfo } from '../../browser/storage/couponStorage';
import { type PriceChange, readChanges, writeChanges } from '../../browser/storage/priceChangeStorage';
import { createStore } from '../../browser/store';
import type { CartLine } from '../../model/cartLine';
import { currentCart, setLines, setSaved, useCart } from './cartStore';

/** The server's last quote, whether one is loading, and the error of the last attempt. */
export type QuoteState = {
  cart: ServerCart | null;
  isLoading: boolean;
  problem: string | null;
  changes: PriceChange[];
};

const EMPTY_CART: ServerCart = {
  lines: [],
  saved: [],
  unavailable: [],
  coupon: null,
  refusals: [],
  subtotal: 0,
  discount: 0,
  tax: 0,
  total: 0,
};
const NO_QUOTE: QuoteState = { cart: null, isLoading: false, problem: null, changes: [] };
// Several clicks on the stepper cause one request.
const DEBOUNCE_MS = 150;

const store = createStore<QuoteState>(NO_QUOTE);
let latestRequestId = 0;

const update = (change: Partial<QuoteState>) => store.set({ ...store.get(), ...change });

/** The server's prices; fetched again whenever the lines change while `isShown`. */
export function useQuote(isVisible: boolean): QuoteState {
  const { lines, isKnown } = useCart();
  const linesKey = lines.map(({ id, quantity, status }) => `${id}x${quantity}${status}`).join();
  const hasRequested = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are what it waits for
  useEffect(() => {
    if (!isVisible || !isKnown) return;
    // Opening the cart always fetches the current prices.
    const isFirst = !hasRequested.current;
    if (!isFirst && matchesLines(store.get().cart, currentCart().lines)) return;
    hasRequested.current = true;
    const timer = setTimeout(() => void refetchQuote(), isFirst ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [isVisible, isKnown, linesKey]);
  useEffect(() => (isVisible ? onOtherTabsCoupon(() => void refetchQuote()) : undefined), [isVisible]);
  return useQuoteState();
}

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

export async function refetchQuote(): Promise<void> {
  latestRequestId += 1;
  const requestId = latestRequestId;
  update({ isLoading: true });
  try {
    const learner = refreshAuth().learner;
    const lines = countedLines(currentCart().lines);
    const cart = learner ? await getCart() : await quoteFor(lines);
    if (requestId !== latestRequestId) return;
    if (learner) applyServerCart(cart);
    else applyGuestQuote(cart);
    update({ isLoading: false, problem: null });
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (requestId === latestRequestId) update({ isLoading: false, problem: problem.detail });
  }
}

/** A guest's empty cart needs no request. */
async function quoteFor(lines: readonly CartLine[]): Promise<ServerCart> {
  if (lines.length === 0) return EMPTY_CART;
  return getQuote(lines.map(({ id, quantity }) => ({ id, quantity })));
}

/** Replaces the local lines with the account's. Lines that the merge refused stay visible until they are removed. */
export function applyServerCart(cart: ServerCart): void {
  setLines((lines) => {
    const refused = lines.filter(
      (line) => line.status === 'refused' && !cart.lines.some((serverLine) => serverLine.id === line.id),
    );
    return [...cart.lines.map(lineOf), ...refused];
  });
  setSaved(() => cart.saved.map(lineOf));
  // The server reports a change until it is marked as seen.
  applyCart(
    cart,
    cart.lines.flatMap((line) => changeOf(line, line.seenPrice)),
  );
}

/** Updates names and prices of a guest's lines; the lines themselves stay. */
export function applyGuestQuote(cart: ServerCart): void {
  const quotedById = new Map(cart.lines.map((line) => [line.id, line]));
  const seenPrices = new Map(readChanges().map((change) => [change.id, change.from]));
  const changed = currentCart().lines.flatMap((line) => {
    const quoted = quotedById.get(line.id);
    // A line's code lowers its price; the shop's price is unknown then.
    const localPrice = line.discountCode ? null : (line.discountPrice ?? line.price);
    return quoted ? changeOf(quoted, seenPrices.get(line.id) ?? localPrice) : [];
  });
  setLines((lines) =>
    lines.map((line) => {
      const quoted = quotedById.get(line.id);
      return quoted ? { ...lineOf(quoted), quantity: line.quantity, status: line.status } : line;
    }),
  );
  writeChanges(changed);
  applyCart(cart, changed);
}

function applyCart(cart: ServerCart, changes: PriceChange[]): void {
  if (cart !== EMPTY_CART) writeCouponInfo(cart.coupon);
  update({ cart, changes, problem: null });
}

/** Dismisses the reported changes, in this session and in the account. */
export async function dismissPriceChanges(): Promise<void> {
  const changes = store.get().changes;
  writeChanges([]);
  update({ changes: [] });
  if (changes.length > 0 && refreshAuth().learner)
    await putSeen(changes.map(({ id, to }) => ({ id, price: to })));
}

function changeOf(quoted: QuotedLine, from: number | null): PriceChange[] {
  const to = quoted.salePrice ?? quoted.listPrice;
  return from === null || from === to ? [] : [{ id: quoted.id, name: quoted.name, from, to }];
}

function lineOf(quoted: QuotedLine): CartLine {
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
