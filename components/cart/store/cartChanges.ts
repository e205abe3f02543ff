import { refreshAuth } from '../../api/auth';
import { putCoupon, putLine, putLineCode, removeLine } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import type { CartLine } from '../../model/cartLine';
import { notify } from '../../ui/toasts/toasts';
import { undoRemove, withErrorToast } from './cartActions';
import { currentCart, setLines, setSaved } from './cartStore';
import { added, removed } from './cartTexts';
import { applyGuestQuote, applyServerCart, countedLines, refetchQuote } from './quoteStore';

/** Moves a line from the cart to the lines saved for later. */
export async function saveForLater(line: CartLine): Promise<void> {
  if (refreshAuth().learner) {
    const outcome = await withErrorToast(() => putLine(line.id, { saved: true }));
    if (!outcome) return;
    if (!outcome.isDone) return notify('error', outcome.message);
    if (outcome.cart) applyServerCart(outcome.cart);
  } else {
    setLines((lines) => lines.filter((other) => other.id !== line.id));
    setSaved((saved) => [...saved.filter((other) => other.id !== line.id), line]);
  }
  await notify('info', `${line.name} saved for later`);
}

export async function moveToCart(line: CartLine): Promise<void> {
  if (refreshAuth().learner) {
    const outcome = await withErrorToast(() => putLine(line.id, { saved: false }));
    if (!outcome) return;
    if (!outcome.isDone) return notify('error', outcome.message);
    if (outcome.cart) applyServerCart(outcome.cart);
  } else {
    setSaved((saved) => saved.filter((other) => other.id !== line.id));
    await undoRemove([{ line, place: currentCart().lines.length }]);
  }
  await notify('success', added(line.name));
}

/** Removes a saved line; in an account with the same call as a line of the cart. */
export async function removeSaved(line: CartLine): Promise<void> {
  setSaved((saved) => saved.filter((other) => other.id !== line.id));
  const toast = notify('error', removed(line.name));
  const learner = refreshAuth().learner;
  const outcome = learner ? await withErrorToast(() => removeLine(learner.id, line.id)) : null;
  if (learner && !outcome?.isDone) setSaved((saved) => [...saved, line]);
  if (outcome?.isDone === false) await notify('error', outcome.message);
  await toast;
}

/**
 * Applies a code to one line, "" removes it. Returns the refusal, "" on success; only learners can use codes on
 * lines.
 */
export async function changeLineCode(line: CartLine, code: string): Promise<string> {
  const learner = refreshAuth().learner;
  if (!learner) return 'Sign in to use a code on a single line.';
  try {
    const outcome = await putLineCode(learner.id, line.id, code);
    if (!outcome.isDone) return outcome.message;
    await refetchQuote();
    return '';
  } catch (problem) {
    return reasonOf(problem);
  }
}

/** Applies a coupon to the whole cart, "" removes it. Returns the refusal, "" on success. */
export async function changeCoupon(code: string): Promise<string> {
  const learner = refreshAuth().learner;
  const lines = countedLines(currentCart().lines).map(({ id, quantity }) => ({ id, quantity }));
  try {
    const outcome = await putCoupon(code, learner ? null : lines);
    if (outcome.cart) (learner ? applyServerCart : applyGuestQuote)(outcome.cart);
    return outcome.isDone ? '' : outcome.message;
  } catch (problem) {
    return reasonOf(problem);
  }
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) throw problem;
  const { status, retryAfterS, detail } = problem;
  if (status !== 429 || !retryAfterS) return detail;
  return `Too many codes were tried. Try again in ${waitText(retryAfterS)}.`;
}

function waitText(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
