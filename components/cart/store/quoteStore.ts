import { useEffect, useRef, useSyncExternalStore } from 'react';
import { refreshAuth } from '../api/auth';
import { getCart, getQuote, putSeen, type QuotedLine, type ServerCart } from '../api/cartCalls';
import type { CartLine } from '../api/cartLines';
import { ApiProblem } from '../api/client';
import { type PriceChange, readChanges, writeChanges } from '../browser/keptChanges';
import { onOtherTabsCoupon, writeCouponInfo } from '../browser/keptCoupon';
import { createStore } from '../browser/store';
import { currentCart, setLines, setSaved, useCart } from './cartStore';

/** What the server last said of the cart, whether it is being asked, and why it could not be. */
export type QuoteState = {
  cart: ServerCart | null;
  isAsking: boolean;
  problem: string | null;
  changes: PriceChange[];
};

const EMPTY: ServerCart = {
  lines: [],
  saved: [],
  missing: [],
  coupon: null,
  refusals: [],
  subtotal: 0,
  discount: 0,
  tax: 0,
  total: 0,
};
const NOTHING: QuoteState = { cart: null, isAsking: false, problem: null, changes: [] };
// Somebody who counts up with the stepper is asked about once.
const PAUSE_MS = 150;

const store = createStore<QuoteState>(NOTHING);
let latest = 0;

const update = (change: Partial<QuoteState>) => store.set({ ...store.get(), ...change });

/** Prices of the server for whoever shows the cart; asked for anew whenever the lines change while `isShown`. */
export function useQuote(isShown: boolean): QuoteState {
  const { lines, isKnown } = useCart();
  const wanted = lines.map(({ id, quantity, status }) => `${id}x${quantity}${status}`).join();
  const hasAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are what it waits for
  useEffect(() => {
    if (!isShown || !isKnown) return;
    // Whoever opens the cart wants to know what it costs now.
    const isFirst = !hasAsked.current;
    if (!isFirst && covers(store.get().cart, currentCart().lines)) return;
    hasAsked.current = true;
    const timer = setTimeout(() => void askForPrices(), isFirst ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isShown, isKnown, wanted]);
  useEffect(() => (isShown ? onOtherTabsCoupon(() => void askForPrices()) : undefined), [isShown]);
  return useQuoteState();
}

export function useQuoteState(): QuoteState {
  return useSyncExternalStore(store.subscribe, store.get, () => NOTHING);
}

/** A refused line is no part of the account's cart. */
export const counted = (lines: readonly CartLine[]) => lines.filter((line) => line.status !== 'refused');

/** Whether the server's cart is of exactly these lines. */
export function covers(cart: ServerCart | null, lines: readonly CartLine[]): boolean {
  if (!cart) return false;
  const known = new Map(cart.lines.map((line) => [line.id, line.quantity]));
  const asked = counted(lines).filter((line) => !cart.missing.includes(line.id));
  return asked.length === known.size && asked.every((line) => known.get(line.id) === line.quantity);
}

export async function askForPrices(): Promise<void> {
  latest += 1;
  const mine = latest;
  update({ isAsking: true });
  try {
    const learner = refreshAuth().learner;
    const lines = counted(currentCart().lines);
    const cart = learner ? await getCart() : await quoteFor(lines);
    if (mine !== latest) return;
    if (learner) takeAccountCart(cart);
    else takeGuestQuote(cart);
    update({ isAsking: false, problem: null });
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (mine === latest) update({ isAsking: false, problem: problem.detail });
  }
}

/** A guest's cart without lines is nothing to ask about. */
async function quoteFor(lines: readonly CartLine[]): Promise<ServerCart> {
  if (lines.length === 0) return EMPTY;
  return getQuote(lines.map(({ id, quantity }) => ({ id, quantity })));
}

/** The account's lines stand here now; what the merge refused stays to be seen until it is removed. */
export function takeAccountCart(cart: ServerCart): void {
  setLines((lines) => {
    const refused = lines.filter(
      (line) => line.status === 'refused' && !cart.lines.some((one) => one.id === line.id),
    );
    return [...cart.lines.map(lineOf), ...refused];
  });
  setSaved(() => cart.saved.map(lineOf));
  // The server tells a change until it learns that it was read.
  take(
    cart,
    cart.lines.flatMap((line) => changeOf(line, line.seenPrice)),
  );
}

/** A guest keeps the lines; names and prices are the server's. */
export function takeGuestQuote(cart: ServerCart): void {
  const quoted = new Map(cart.lines.map((line) => [line.id, line]));
  const told = new Map(readChanges().map((change) => [change.id, change.from]));
  const changed = currentCart().lines.flatMap((line) => {
    const now = quoted.get(line.id);
    // With a code on it the line's price is no price of the shop.
    const here = line.discountCode ? null : (line.discountPrice ?? line.price);
    return now ? changeOf(now, told.get(line.id) ?? here) : [];
  });
  setLines((lines) =>
    lines.map((line) => {
      const now = quoted.get(line.id);
      return now ? { ...lineOf(now), quantity: line.quantity, status: line.status } : line;
    }),
  );
  writeChanges(changed);
  take(cart, changed);
}

function take(cart: ServerCart, changes: PriceChange[]): void {
  if (cart !== EMPTY) writeCouponInfo(cart.coupon);
  update({ cart, changes, problem: null });
}

/** The changes were read: neither this session nor the account tells them again. */
export async function forgetChanges(): Promise<void> {
  const read = store.get().changes;
  writeChanges([]);
  update({ changes: [] });
  if (read.length > 0 && refreshAuth().learner) await putSeen(read.map(({ id, to }) => ({ id, price: to })));
}

function changeOf(now: QuotedLine, from: number | null): PriceChange[] {
  const to = now.salePrice ?? now.listPrice;
  return from === null || from === to ? [] : [{ id: now.id, name: now.name, from, to }];
}

function lineOf(now: QuotedLine): CartLine {
  return {
    id: now.id,
    name: now.name,
    price: now.listPrice,
    discountPrice: now.unitPrice === now.listPrice ? null : now.unitPrice,
    quantity: now.quantity,
    discount: now.unitOff,
    discountCode: now.code,
    status: 'registered',
  };
}
