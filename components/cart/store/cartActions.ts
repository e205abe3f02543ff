import { refreshAuth } from '../api/auth';
import { dropLine, type Outcome, putLine, registerLine } from '../api/cartCalls';
import { type CartLine, MOST_OF_ONE } from '../api/cartLines';
import { ApiProblem } from '../api/client';
import { notify } from '../ui/toasts';
import { currentCart, setLines } from './cartStore';
import { takeAccountCart } from './quoteStore';
import { forgetRemoved, rememberRemoved } from './removedStore';
import { added, decremented, removed } from './words';

/** What a page knows of something that can be put in the cart. Money in minor units. */
export type Product = { id: number; name: string; listPrice: number; price: number; isItem: boolean };

/** Specification §4. Signed out nothing is asked; signed in only the server's success adds or keeps a line. */
export async function addToCart(product: Product, quantity: number): Promise<void> {
  const present = currentCart().lines.find((line) => line.id === product.id);
  const wanted = quantityAfter(present, product, quantity);
  const learner = refreshAuth().learner;
  if (!learner) {
    put({ ...(present ?? lineOf(product)), quantity: wanted });
    return notify('success', added(product.name));
  }
  const outcome = await asked(() => registered(learner.id, product.id, wanted));
  if (!outcome) return;
  if (!outcome.isDone) {
    setLines((lines) => lines.filter((line) => line.id !== product.id));
    return notify('error', outcome.message || `${product.name} could not be added.`);
  }
  put({ ...(present ?? lineOf(product)), quantity: wanted, status: 'registered' });
  return notify('success', added(product.name));
}

/** A course is bought once; of a shop item the counter's quantity comes on top of what is there. */
function quantityAfter(present: CartLine | undefined, product: Product, quantity: number): number {
  if (!product.isItem) return present?.quantity ?? 1;
  return Math.min((present?.quantity ?? 0) + quantity, MOST_OF_ONE);
}

async function registered(learnerId: number, id: number, quantity: number): Promise<Outcome> {
  const outcome = await registerLine(learnerId, id);
  return outcome.isDone && quantity > 1 ? putLine(id, { quantity }) : outcome;
}

export async function changeQuantity(line: CartLine, quantity: number): Promise<void> {
  const wanted = Math.min(Math.max(1, quantity), MOST_OF_ONE);
  if (wanted === line.quantity) return;
  const learner = refreshAuth().learner;
  // Changed by a guest, the line is this browser's again until a sign-in joins it.
  put({ ...line, quantity: wanted, status: learner ? line.status : 'local' });
  const said = wanted < line.quantity ? notify('info', decremented(line.name)) : undefined;
  if (learner) await changeThere(line, wanted);
  await said;
}

async function changeThere(line: CartLine, quantity: number): Promise<void> {
  const outcome = await asked(() => putLine(line.id, { quantity }));
  if (outcome?.cart && currentQuantity(line.id) === quantity) takeAccountCart(outcome.cart);
  if (outcome?.isDone) return;
  setLines((lines) => lines.map((one) => (one.id === line.id ? { ...one, quantity: line.quantity } : one)));
  if (outcome) await notify('error', outcome.message);
}

/** Another press may have come while the server was asked: the last one counts. */
function currentQuantity(id: number): number | undefined {
  return currentCart().lines.find((line) => line.id === id)?.quantity;
}

/** Gone at once here; what the server could not remove comes back. */
export async function removeLines(gone: CartLine[]): Promise<void> {
  const before = currentCart().lines;
  const ids = new Set(gone.map((line) => line.id));
  const places = before.flatMap((line, place) => (ids.has(line.id) ? [{ line, place }] : []));
  setLines((lines) => lines.filter((line) => !ids.has(line.id)));
  rememberRemoved(places);
  const said = gone.map((line) => notify('error', removed(line.name)));
  const learner = refreshAuth().learner;
  if (learner) await Promise.all(places.map(({ line, place }) => removeThere(learner.id, line, place)));
  await Promise.all(said);
}

async function removeThere(learnerId: number, line: CartLine, place: number): Promise<void> {
  const problem = await dropLine(learnerId, line.id).then(
    (outcome) => (outcome.isDone ? null : outcome.message),
    (cause: unknown) => (cause instanceof ApiProblem ? cause.detail : String(cause)),
  );
  if (problem === null) return;
  insert(line, place);
  forgetRemoved(line.id);
  await notify('error', `${line.name} could not be removed. ${problem}`.trim());
}

/** Puts lines back where they stood; with a learner the server has its say again. */
export async function putBack(places: { line: CartLine; place: number }[]): Promise<void> {
  const learner = refreshAuth().learner;
  for (const { line, place } of places) {
    const outcome = learner ? await asked(() => registered(learner.id, line.id, line.quantity)) : null;
    if (learner && !outcome) return;
    forgetRemoved(line.id);
    if (outcome?.isDone === false) await notify('error', outcome.message);
    else insert(learner ? { ...line, status: 'registered' } : line, place);
  }
}

function insert(line: CartLine, place: number): void {
  setLines((lines) => {
    const others = lines.filter((one) => one.id !== line.id);
    return [...others.slice(0, place), line, ...others.slice(place)];
  });
}

function put(line: CartLine): void {
  setLines((lines) =>
    lines.some((one) => one.id === line.id)
      ? lines.map((one) => (one.id === line.id ? line : one))
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

/** The server's word, or null after a toast that says that it could not be asked: then nothing changes. */
export async function asked<T extends Outcome>(call: () => Promise<T>, what = 'The cart'): Promise<T | null> {
  try {
    return await call();
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    await notify('error', `${what} was not changed. ${problem.detail}`);
    return null;
  }
}
