import { refreshAuth } from '../../api/auth';
import { addLine, type Outcome, putLine, removeLine } from '../../api/cart';
import { ApiProblem } from '../../api/client';
import { type CartLine, MAX_QUANTITY } from '../../model/cartLine';
import { notify } from '../../ui/toasts/toasts';
import { currentCart, setLines } from './cartStore';
import { added, decremented, removed } from './cartTexts';
import { applyServerCart } from './quoteStore';
import { clearRemoved, offerUndo } from './removedStore';

/** The data that a page needs to add something to the cart. Money in minor units. */
export type Product = { id: number; name: string; listPrice: number; price: number; isItem: boolean };

/**
 * Specification §4. Signed out, no call is made; signed in, a line is added or stays only on the server's success.
 */
export async function addToCart(product: Product, quantity: number): Promise<void> {
  const present = currentCart().lines.find((line) => line.id === product.id);
  const newQuantity = quantityAfter(present, product, quantity);
  const learner = refreshAuth().learner;
  if (!learner) {
    put({ ...(present ?? lineOf(product)), quantity: newQuantity });
    return notify('success', added(product.name));
  }
  const outcome = await withErrorToast(() => registerQuantity(learner.id, product.id, newQuantity));
  if (!outcome) return;
  if (!outcome.isDone) {
    setLines((lines) => lines.filter((line) => line.id !== product.id));
    return notify('error', outcome.message || `${product.name} could not be added.`);
  }
  put({ ...(present ?? lineOf(product)), quantity: newQuantity, status: 'registered' });
  return notify('success', added(product.name));
}

/** A course is bought once; for a shop item the counter's quantity is added to the present one. */
function quantityAfter(present: CartLine | undefined, product: Product, quantity: number): number {
  if (!product.isItem) return present?.quantity ?? 1;
  return Math.min((present?.quantity ?? 0) + quantity, MAX_QUANTITY);
}

async function registerQuantity(learnerId: number, id: number, quantity: number): Promise<Outcome> {
  const outcome = await addLine(learnerId, id);
  return outcome.isDone && quantity > 1 ? putLine(id, { quantity }) : outcome;
}

export async function changeQuantity(line: CartLine, quantity: number): Promise<void> {
  const newQuantity = Math.min(Math.max(1, quantity), MAX_QUANTITY);
  if (newQuantity === line.quantity) return;
  const learner = refreshAuth().learner;
  // A guest's change makes the line local again until the next sign-in merges it.
  put({ ...line, quantity: newQuantity, status: learner ? line.status : 'local' });
  const toast = newQuantity < line.quantity ? notify('info', decremented(line.name)) : undefined;
  if (learner) await changeOnServer(line, newQuantity);
  await toast;
}

async function changeOnServer(line: CartLine, quantity: number): Promise<void> {
  const outcome = await withErrorToast(() => putLine(line.id, { quantity }));
  if (outcome?.cart && currentQuantity(line.id) === quantity) applyServerCart(outcome.cart);
  if (outcome?.isDone) return;
  setLines((lines) =>
    lines.map((other) => (other.id === line.id ? { ...other, quantity: line.quantity } : other)),
  );
  if (outcome) await notify('error', outcome.message);
}

/** The quantity may have changed again during the call: the last change counts. */
function currentQuantity(id: number): number | undefined {
  return currentCart().lines.find((line) => line.id === id)?.quantity;
}

/** Removes lines at once; those that the server cannot remove are restored. */
export async function removeLines(removals: CartLine[]): Promise<void> {
  const previous = currentCart().lines;
  const ids = new Set(removals.map((line) => line.id));
  const places = previous.flatMap((line, place) => (ids.has(line.id) ? [{ line, place }] : []));
  setLines((lines) => lines.filter((line) => !ids.has(line.id)));
  offerUndo(places);
  const toast = removals.map((line) => notify('error', removed(line.name)));
  const learner = refreshAuth().learner;
  if (learner) await Promise.all(places.map(({ line, place }) => removeFromServer(learner.id, line, place)));
  await Promise.all(toast);
}

async function removeFromServer(learnerId: number, line: CartLine, place: number): Promise<void> {
  const problem = await removeLine(learnerId, line.id).then(
    (outcome) => (outcome.isDone ? null : outcome.message),
    (cause: unknown) => (cause instanceof ApiProblem ? cause.detail : String(cause)),
  );
  if (problem === null) return;
  insert(line, place);
  clearRemoved(line.id);
  await notify('error', `${line.name} could not be removed. ${problem}`.trim());
}

/** Restores lines at their positions; for a learner the server is called again. */
export async function undoRemove(places: { line: CartLine; place: number }[]): Promise<void> {
  const learner = refreshAuth().learner;
  for (const { line, place } of places) {
    const outcome = learner
      ? await withErrorToast(() => registerQuantity(learner.id, line.id, line.quantity))
      : null;
    if (learner && !outcome) return;
    clearRemoved(line.id);
    if (outcome?.isDone === false) await notify('error', outcome.message);
    else insert(learner ? { ...line, status: 'registered' } : line, place);
  }
}

function insert(line: CartLine, place: number): void {
  setLines((lines) => {
    const others = lines.filter((other) => other.id !== line.id);
    return [...others.slice(0, place), line, ...others.slice(place)];
  });
}

function put(line: CartLine): void {
  setLines((lines) =>
    lines.some((other) => other.id === line.id)
      ? lines.map((other) => (other.id === line.id ? line : other))
      : [...lines, line],
  );
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

/** The result of the call, or null after an error toast; then nothing changes. */
export async function withErrorToast<T extends Outcome>(
  call: () => Promise<T>,
  subject = 'The cart',
): Promise<T | null> {
  try {
    return await call();
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    await notify('error', `${subject} was not changed. ${problem.detail}`);
    return null;
  }
}
