import { currentAuth } from '../../api/auth';
import { getCart, type ServerCart } from '../../api/cart';
import { createMutationQueue } from '../../api/mutations/mutationQueue';
import { readCartVersion, writeCartVersion } from '../../browser/session/cartVersion';
import { onSignInChange } from '../../browser/session/session';
import type { CartLine } from '../../model/cartLine';
import { type CartLists, loadCart, projectCart } from '../store/cartStore';
import { clearMergeReport } from '../store/mergeReport';
import { applyQuote, lineOf, priceChange, resetQuote } from '../store/quoteStore';
import { clearRemoved } from '../store/removedStore';
import { changeStored, storedCart } from '../store/storedCart';
import { currentPageCart } from './pageCart';

/**
 * The cart of the signed-in learner. cart_products and its version hold what the server said last, to any tab; what is
 * shown is that with this tab's changes under way.
 */
export const cartQueue = createMutationQueue<CartLists>(loadCart);
projectCart(cartQueue.project);
onSignInChange(() => {
  resetQuote();
  clearRemoved();
  clearMergeReport();
  loadCart();
});

export function storedVersion(): number | null {
  const { learner } = currentAuth();
  return learner && readCartVersion(learner.id);
}

/** Sets the version first: a tab that reads in between drops an answer too many, and gets the lines next. */
export function storeVersion(version: number): void {
  const { learner } = currentAuth();
  if (learner) writeCartVersion(learner.id, version);
}

/** Whether another tab has stored a newer cart since `known` was, at the time of the request, the stored version. */
function isOutdated({ version }: ServerCart, known: number | null): boolean {
  const stored = storedVersion();
  // After the restore of a backup the server's versions are lower than `known`: its answer counts.
  return stored !== null && version < stored && (known === null || known < stored);
}

/**
 * Replaces the stored cart with the account's, unless it is older. False: it was older. Lines that the merge at sign-in
 * refused stay visible until they are removed, and lines that are not merged yet until they are.
 */
export function applyServerCart(cart: ServerCart, known: number | null): boolean {
  if (isOutdated(cart, known)) return false;
  const confirmed = storedCart();
  const unmerged = [...confirmed.lines, ...confirmed.saved].filter(({ status }) => status === 'local');
  const isUnmerged = (line: { id: number }) => unmerged.some(({ id }) => id === line.id);
  const server = {
    lines: cart.lines.filter((line) => !isUnmerged(line)).map(lineOf),
    saved: cart.saved.filter((line) => !isUnmerged(line)).map(lineOf),
  };
  const isKept = ({ id, status }: CartLine) =>
    status === 'local' || (status === 'refused' && !server.lines.some((line) => line.id === id));
  storeVersion(cart.version);
  changeStored(() => ({
    lines: [...server.lines, ...confirmed.lines.filter(isKept)],
    saved: [...server.saved, ...confirmed.saved.filter(({ status }) => status === 'local')],
  }));
  // The server reports a change until it is marked as seen.
  applyQuote(
    cart,
    cart.lines.flatMap((line) => priceChange(line, line.seenPrice)),
  );
  return true;
}

/** The account's cart: that of the page on screen, if nothing has changed since, else fetched. */
export function readAccountCart(): Promise<ServerCart> {
  const cart = currentPageCart(storedVersion());
  return cart ? Promise.resolve(cart) : getCart();
}

/** Reads the account's cart, after the changes under way. Rejects with ApiProblem. */
export async function fetchCart(): Promise<void> {
  let known: number | null = null;
  let isApplied = true;
  await cartQueue.add({
    subject: 'cart',
    kind: 'fetch',
    send: () => {
      known = storedVersion();
      return readAccountCart();
    },
    confirm: (cart) => {
      isApplied = applyServerCart(cart, known);
    },
  });
  // Another tab has stored a newer cart meanwhile, without its prices.
  if (!isApplied) await fetchCart();
}
