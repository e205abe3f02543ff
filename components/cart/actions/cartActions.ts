import { refreshAuth } from '../../api/auth';
import type { Outcome } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import { type CartLine, hasQuantity, MAX_QUANTITY } from '../../model/cartLine';
import { isolated } from '../../model/isolated';
import { notify } from '../../ui/toasts/toasts';
import { putBack, putIn, putQuantity, takeOut } from '../account/accountLines';
import { withLine, withoutLine } from '../store/cartLists';
import { added, decremented, removed } from '../store/cartTexts';
import { clearRemoved, offerUndo, type Removed } from '../store/removedStore';
import { changeStored, currentCart } from '../store/storedCart';

/** The data that a page needs to add something to the cart. Money in minor units. */
export type Product = {
  id: number;
  name: string;
  listPrice: number;
  price: number;
  kind: 'course' | 'item';
  itemKind?: string | null;
};

/** Specification §4: `putInCart` with a toast that says so. */
export async function addToCart(product: Product, quantity: number): Promise<void> {
  if (await putInCart(product, quantity)) await notify('success', added(product.name));
}

/**
 * Whether the cart has it now; a toast says why not. Signed out, no call is made; signed in, a line is added or stays
 * only on the server's success.
 */
export async function putInCart(product: Product, quantity: number): Promise<boolean> {
  const lineWith = (present: CartLine | undefined) => ({
    ...(present ?? lineOf(product)),
    quantity: quantityAfter(present, product, quantity),
  });
  const { learner } = refreshAuth();
  if (!learner) {
    putLocal(lineWith(currentCart().lines.find((line) => line.id === product.id)));
    return true;
  }
  const outcome = await withErrorToast(() => putIn(learner.id, product.id, lineWith));
  if (outcome && !outcome.isDone)
    await notify('error', outcome.message || `${isolated(product.name)} could not be added.`);
  return outcome?.isDone === true;
}

/** A course or bundle is bought once; for another shop item the counter's quantity is added to the present one. */
function quantityAfter(present: CartLine | undefined, product: Product, quantity: number): number {
  if (!hasQuantity(product)) return present?.quantity ?? 1;
  return Math.min((present?.quantity ?? 0) + quantity, MAX_QUANTITY);
}

export async function changeQuantity(line: CartLine, quantity: number): Promise<void> {
  const newQuantity = Math.min(Math.max(1, quantity), MAX_QUANTITY);
  if (newQuantity === line.quantity) return;
  const toast = newQuantity < line.quantity ? notify('info', decremented(line.name)) : undefined;
  if (refreshAuth().learner) await notifyFailure(() => putQuantity(line.id, newQuantity));
  else putLocal({ ...line, quantity: newQuantity });
  await toast;
}

/**
 * Removes lines at once; those that the server cannot remove are restored. One line has the specification's toast; of
 * several the notice that offers to undo it says enough.
 */
export async function removeLines(removals: CartLine[]): Promise<void> {
  const ids = new Set(removals.map((line) => line.id));
  offerUndo(currentCart().lines.flatMap((line, place) => (ids.has(line.id) ? [{ line, place }] : [])));
  const [first, ...others] = removals;
  const toast = first && others.length === 0 ? notify('error', removed(first.name)) : null;
  await Promise.all(removals.map(removeOne));
  await toast;
}

/** A line that the account refused is in this browser alone. */
async function removeOne(line: CartLine): Promise<void> {
  const { learner } = refreshAuth();
  if (!learner || line.status === 'refused') return changeStored((cart) => withoutLine(cart, line.id));
  const problem = await takeOut(learner.id, line.id).then(
    (outcome) => (outcome && !outcome.isDone ? outcome.message : null),
    (cause: unknown) => (cause instanceof ApiProblem ? cause.detail : String(cause)),
  );
  if (problem === null) return;
  clearRemoved(line.id);
  await notify('error', `${isolated(line.name)} could not be removed. ${problem}`.trim());
}

/** Restores lines at their positions; for a learner the server is called again. */
export async function undoRemove(places: Removed[]): Promise<void> {
  const { learner } = refreshAuth();
  for (const { line, place } of places) {
    if (learner) {
      const outcome = await withErrorToast(() => putBack(learner.id, line, place));
      if (!outcome) return;
      if (!outcome.isDone) await notify('error', outcome.message);
    } else putLocal(line, place);
    clearRemoved(line.id);
  }
}

/** A guest's change makes the line local until the next sign-in merges it, also if it was an account's. */
function putLocal(line: CartLine, place?: number): void {
  changeStored((cart) => withLine(cart, { ...line, status: 'local' }, place));
}

function lineOf(product: Product): CartLine {
  return {
    id: product.id,
    name: product.name,
    price: product.listPrice,
    discountPrice: product.price < product.listPrice ? product.price : null,
    quantity: 1,
    discount: null,
    discountCode: null,
    status: 'local',
  };
}

/** The call's outcome, or null after an error toast and for a change that was replaced. */
export async function withErrorToast<T>(
  call: () => Promise<T | null>,
  subject = 'The cart',
): Promise<T | null> {
  try {
    return await call();
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    await notify('error', `${isolated(subject)} was not changed. ${problem.detail}`);
    return null;
  }
}

/** The outcome of a call that was done, or null after a toast for an error (`withErrorToast`) or a refusal. */
export async function notifyFailure<T extends Outcome>(
  call: () => Promise<T | null>,
  subject?: string,
): Promise<T | null> {
  const outcome = await withErrorToast(call, subject);
  if (outcome?.isDone === false) await notify('error', outcome.message);
  return outcome?.isDone ? outcome : null;
}
