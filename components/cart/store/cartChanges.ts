import { refreshAuth } from '../api/auth';
import { dropLine, putCoupon, putLine, putLineCode } from '../api/cartCalls';
import type { CartLine } from '../api/cartLines';
import { ApiProblem } from '../api/client';
import { notify } from '../ui/toasts';
import { asked, putBack } from './cartActions';
import { currentCart, setLines, setSaved } from './cartStore';
import { askForPrices, counted, takeAccountCart, takeGuestQuote } from './quoteStore';
import { added, removed } from './words';

/** Out of the cart, but not forgotten. */
export async function saveForLater(line: CartLine): Promise<void> {
  if (refreshAuth().learner) {
    const outcome = await asked(() => putLine(line.id, { saved: true }));
    if (!outcome) return;
    if (!outcome.isDone) return notify('error', outcome.message);
    if (outcome.cart) takeAccountCart(outcome.cart);
  } else {
    setLines((lines) => lines.filter((one) => one.id !== line.id));
    setSaved((saved) => [...saved.filter((one) => one.id !== line.id), line]);
  }
  await notify('info', `${line.name} saved for later`);
}

export async function moveToCart(line: CartLine): Promise<void> {
  if (refreshAuth().learner) {
    const outcome = await asked(() => putLine(line.id, { saved: false }));
    if (!outcome) return;
    if (!outcome.isDone) return notify('error', outcome.message);
    if (outcome.cart) takeAccountCart(outcome.cart);
  } else {
    setSaved((saved) => saved.filter((one) => one.id !== line.id));
    await putBack([{ line, place: currentCart().lines.length }]);
  }
  await notify('success', added(line.name));
}

/** Out of what was saved; in an account such a line leaves as one of the cart does. */
export async function removeSaved(line: CartLine): Promise<void> {
  setSaved((saved) => saved.filter((one) => one.id !== line.id));
  const said = notify('error', removed(line.name));
  const learner = refreshAuth().learner;
  const outcome = learner ? await asked(() => dropLine(learner.id, line.id)) : null;
  if (learner && !outcome?.isDone) setSaved((saved) => [...saved, line]);
  if (outcome?.isDone === false) await notify('error', outcome.message);
  await said;
}

/** Puts a code on one line, "" takes it off. Returns why not, "" when it is done; only learners have codes on lines. */
export async function changeLineCode(line: CartLine, code: string): Promise<string> {
  const learner = refreshAuth().learner;
  if (!learner) return 'Sign in to use a code on a single line.';
  try {
    const outcome = await putLineCode(learner.id, line.id, code);
    if (!outcome.isDone) return outcome.message;
    await askForPrices();
    return '';
  } catch (problem) {
    return reasonOf(problem);
  }
}

/** The coupon of the whole cart, "" takes it off. Returns why not, "" when it is done. */
export async function changeCoupon(code: string): Promise<string> {
  const learner = refreshAuth().learner;
  const lines = counted(currentCart().lines).map(({ id, quantity }) => ({ id, quantity }));
  try {
    const outcome = await putCoupon(code, learner ? null : lines);
    if (outcome.cart) (learner ? takeAccountCart : takeGuestQuote)(outcome.cart);
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
