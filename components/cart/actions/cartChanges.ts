import { refreshAuth } from '../../api/auth';
import { type CartOutcome, putCoupon, putLineCode } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import type { CartLine } from '../../model/cartLine';
import { isolated } from '../../model/isolated';
import { notify } from '../../ui/toasts/toasts';
import { putSaved, takeOut } from '../account/accountLines';
import { changeCart } from '../account/changeCart';
import { withLine, withoutLine, withSavedLine } from '../store/cartLists';
import { added, removed } from '../store/cartTexts';
import { countedLines } from '../store/quoteStore';
import { changeStored, currentCart } from '../store/storedCart';
import { notifyFailure } from './cartActions';
import { applyGuestQuote, refetchQuote } from './refetchQuote';

/** A guest's change makes the line local, as in cartActions. */
const local = (line: CartLine): CartLine => ({ ...line, status: 'local' });

/** Moves a line from the cart to the lines saved for later. */
export async function saveForLater(line: CartLine): Promise<void> {
  if (!refreshAuth().learner) changeStored((cart) => withSavedLine(cart, local(line)));
  else if (!(await notifyFailure(() => putSaved(line, true)))) return;
  await notify('info', `${isolated(line.name)} saved for later`);
}

export async function moveToCart(line: CartLine): Promise<void> {
  if (!refreshAuth().learner) changeStored((cart) => withLine(cart, local(line)));
  else if (!(await notifyFailure(() => putSaved(line, false)))) return;
  await notify('success', added(line.name));
}

/** Removes a saved line; in an account with the same call as a line of the cart. */
export async function removeSaved(line: CartLine): Promise<void> {
  const { learner } = refreshAuth();
  const toast = notify('error', removed(line.name));
  if (learner) await notifyFailure(() => takeOut(learner.id, line.id));
  else changeStored((cart) => withoutLine(cart, line.id));
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
    const send = () => putLineCode(learner.id, line.id, code);
    const outcome = await changeCart({ subject: line.id, kind: 'code', send });
    if (outcome && !outcome.isDone) return outcome.message;
    await refetchQuote();
    return '';
  } catch (problem) {
    return reasonOf(problem);
  }
}

/** Applies a coupon to the whole cart, "" removes it. Returns the refusal, "" on success. */
export async function changeCoupon(code: string): Promise<string> {
  try {
    const outcome = refreshAuth().learner
      ? await changeCart({ subject: 'cart', kind: 'coupon', send: () => putCoupon(code, null) })
      : await changeGuestCoupon(code);
    return !outcome || outcome.isDone ? '' : outcome.message;
  } catch (problem) {
    return reasonOf(problem);
  }
}

async function changeGuestCoupon(code: string): Promise<CartOutcome> {
  const lines = countedLines(currentCart().lines).map(({ id, quantity }) => ({ id, quantity }));
  const outcome = await putCoupon(code, lines);
  if (outcome.cart) applyGuestQuote(outcome.cart);
  return outcome;
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
