import { getCart, type Outcome, type ServerCart } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import type { CartLists } from '../store/cartStore';
import { changeStored } from '../store/storedCart';
import { applyServerCart, cartQueue, fetchCart, storedVersion, storeVersion } from './accountCart';
import { isMergeNeeded, syncCart } from './mergeGuestCart';
import { dropPageCart } from './pageCart';

/** A call's outcome, with the cart after it, or the cart's version alone. */
type CartAnswer = Outcome & { cart?: ServerCart | null; version?: number | null };

/** A change of the account's cart. */
export type CartChange<Answer extends CartAnswer> = {
  /** A line's id, or the whole cart. */
  subject: number | 'cart';
  /** As in `Mutation`. */
  kind?: string;
  /** What is shown until the answer. */
  apply?: (cart: CartLists) => CartLists;
  send: () => Promise<Answer>;
  /** What an answer without a cart makes of what the server said before it. */
  fold?: (cart: CartLists, answer: Answer) => CartLists;
};

/**
 * Shows a change at once, and makes it on the server after those before it. Null when it was replaced by a newer one or
 * the sign-in changed. Rejects with ApiProblem; then this change alone is taken back.
 */
export async function changeCart<Answer extends CartAnswer>(
  change: CartChange<Answer>,
): Promise<Answer | null> {
  // The server does not know the lines yet.
  if (isMergeNeeded()) syncCart().catch(ignoreProblem);
  try {
    return await enqueue(change);
  } catch (problem) {
    // Without an answer nobody knows whether the server made the change.
    if (problem instanceof ApiProblem && (problem.status === 0 || problem.status >= 500))
      fetchCart().catch(ignoreProblem);
    throw problem;
  }
}

function enqueue<Answer extends CartAnswer>(change: CartChange<Answer>): Promise<Answer | null> {
  let known: number | null = null;
  return cartQueue.add({
    ...change,
    send: async () => {
      known = storedVersion();
      dropPageCart();
      const answer = await change.send();
      return { ...answer, cart: answer.cart ?? (await cartAfter(answer)) };
    },
    confirm: (answer) => {
      if (answer.cart) applyServerCart(answer.cart, known);
      else foldAnswer((cart) => change.fold?.(cart, answer) ?? cart, answer);
    },
  });
}

/** The cart after a change of which only the version is known, when others have changed it too; else null. */
async function cartAfter({ version }: CartAnswer): Promise<ServerCart | null> {
  const stored = storedVersion();
  if (version == null || stored === null || version <= stored + 1) return null;
  return getCart().catch((problem: unknown) => {
    ignoreProblem(problem);
    return null;
  });
}

function foldAnswer(fold: (cart: CartLists) => CartLists, { version }: CartAnswer): void {
  const stored = storedVersion();
  // Another tab has stored the cart after this change.
  if (version != null && stored !== null && version <= stored) return;
  // After other changes the stored cart lacks them: it keeps its version until the next answer with a cart.
  if (stored !== null && version === stored + 1) storeVersion(version);
  changeStored(fold);
}

function ignoreProblem(problem: unknown): void {
  if (!(problem instanceof ApiProblem)) throw problem;
}
