import { useEffect, useRef } from 'react';
import { refreshAuth, useAuth } from '../../api/auth';
import { getQuote, putSeen, type ServerCart } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import { onOtherTabsCoupon } from '../../browser/storage/couponStorage';
import { readChanges, writeChanges } from '../../browser/storage/priceChangeStorage';
import { type CartLine, hasQuantity } from '../../model/cartLine';
import { cartQueue, fetchCart } from '../account/accountCart';
import { dropPageCart } from '../account/pageCart';
import { useCart } from '../store/cartStore';
import {
  applyQuote,
  countedLines,
  currentQuote,
  lineOf,
  matchesLines,
  priceChange,
  type QuoteState,
  updateQuote,
  useQuoteState,
} from '../store/quoteStore';
import { changeStored, currentCart } from '../store/storedCart';

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
  version: 0,
};
// Several clicks on the stepper cause one request.
const DEBOUNCE_MS = 150;

let latestRequestId = 0;

/** The server's prices; fetched again whenever the lines change while `isShown`, and for another learner. */
export function useQuote(isVisible: boolean): QuoteState {
  const { lines, isKnown } = useCart();
  const learnerId = useAuth().learner?.id;
  const linesKey = lines.map(({ id, quantity, status }) => `${id}x${quantity}${status}`).join();
  const hasRequested = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are what it waits for
  useEffect(() => {
    if (!isVisible || !isKnown) return;
    // Opening the cart always fetches the current prices.
    const isFirst = !hasRequested.current;
    if (!isFirst && matchesLines(currentQuote().cart, currentCart().lines)) return;
    hasRequested.current = true;
    const timer = setTimeout(() => void refetchQuote(), isFirst ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [isVisible, isKnown, linesKey, learnerId]);
  useEffect(() => (isVisible ? onOtherTabsCoupon(refetchWithoutPageCart) : undefined), [isVisible]);
  return useQuoteState();
}

function refetchWithoutPageCart(): void {
  dropPageCart();
  void refetchQuote();
}

/** The prices of the current cart. A learner's are fetched after the changes under way. */
export async function refetchQuote(): Promise<void> {
  latestRequestId += 1;
  const requestId = latestRequestId;
  const isLatest = () => requestId === latestRequestId;
  updateQuote({ isLoading: true });
  try {
    const { learner } = refreshAuth();
    if (learner) await fetchCart();
    else await quoteGuestCart(isLatest);
    if (isLatest()) updateQuote({ isLoading: false, problem: null });
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (isLatest()) updateQuote({ isLoading: false, problem: problem.detail });
  }
}

/** A guest's empty cart needs no request. */
async function quoteGuestCart(isLatest: () => boolean): Promise<void> {
  const lines = countedLines(currentCart().lines);
  if (lines.length === 0) {
    writeChanges([]);
    return updateQuote({ cart: EMPTY_CART, changes: [] });
  }
  const cart = await getQuote(lines.map(({ id, quantity }) => ({ id, quantity })));
  if (isLatest() && !refreshAuth().learner) applyGuestQuote(cart);
}

/** Updates names and prices of a guest's lines; the lines themselves stay. */
export function applyGuestQuote(cart: ServerCart): void {
  const quotedById = new Map(cart.lines.map((line) => [line.id, line]));
  const seenPrices = new Map(readChanges().map((change) => [change.id, change.from]));
  const changed = currentCart().lines.flatMap((line) => {
    const quoted = quotedById.get(line.id);
    return quoted ? priceChange(quoted, seenPrices.get(line.id) ?? priceSeen(line)) : [];
  });
  const priced = (line: CartLine): CartLine => {
    const quoted = quotedById.get(line.id);
    return quoted
      ? { ...lineOf(quoted), quantity: hasQuantity(quoted) ? line.quantity : 1, status: line.status }
      : line;
  };
  changeStored(({ lines, saved }) => ({ lines: lines.map(priced), saved }));
  writeChanges(changed);
  applyQuote(cart, changed);
}

/** A line's code lowers its price; the shop's price is unknown then. */
function priceSeen(line: CartLine): number | null {
  return line.discountCode ? null : (line.discountPrice ?? line.price);
}

/** Dismisses the reported changes, in this session and in the account. */
export async function dismissPriceChanges(): Promise<void> {
  const { changes } = currentQuote();
  writeChanges([]);
  updateQuote({ changes: [] });
  dropPageCart();
  if (changes.length === 0 || !refreshAuth().learner) return;
  const prices = changes.map(({ id, to }) => ({ id, price: to }));
  await cartQueue.add({ subject: 'cart', kind: 'seen', send: () => putSeen(prices) });
}
