import { refreshAuth } from '../../api/auth';
import { addLine, type CartOutcome, type LineOutcome, putLine, removeLine } from '../../api/cart';
import type { CartLine } from '../../model/cartLine';
import { withLine, withoutLine, withQuantity, withSavedLine } from '../store/cartLists';
import { storedCart } from '../store/storedCart';
import { changeCart } from './changeCart';

/** Changes of a line of the account's cart; each as in `changeCart`. */
export function putQuantity(id: number, quantity: number): Promise<CartOutcome | null> {
  return changeCart({
    subject: id,
    kind: 'quantity',
    apply: (cart) => withQuantity(cart, id, quantity),
    send: () => putLine(id, { quantity }),
    fold: (cart, { isDone }) => (isDone ? withQuantity(cart, id, quantity) : cart),
  });
}

export function putSaved(line: CartLine, saved: boolean): Promise<CartOutcome | null> {
  const move = saved ? withSavedLine : withLine;
  return changeCart({
    subject: line.id,
    kind: 'saved',
    apply: (cart) => move(cart, line),
    send: () => putLine(line.id, { saved }),
    fold: (cart, { isDone }) => (isDone ? move(cart, line) : cart),
  });
}

export function takeOut(learnerId: number, id: number): Promise<LineOutcome | null> {
  return changeCart({
    subject: id,
    kind: 'remove',
    apply: (cart) => withoutLine(cart, id),
    send: () => removeLine(learnerId, id),
    fold: (cart, { isDone }) => (isDone ? withoutLine(cart, id) : cart),
  });
}

/** Puts a removed line back, with its quantity and its place. */
export function putBack(
  learnerId: number,
  line: CartLine,
  place: number,
): Promise<LineOutcome | CartOutcome | null> {
  const restored: CartLine = { ...line, status: 'registered' };
  return changeCart<LineOutcome | CartOutcome>({
    subject: line.id,
    kind: 'restore',
    apply: (cart) => withLine(cart, restored, place),
    send: () => register(learnerId, line.id, line.quantity),
    fold: (cart, { isDone }) => (isDone ? withLine(cart, restored, place) : withoutLine(cart, line.id)),
  });
}

/**
 * Adds a product. It is shown after the server's success only. `lineWith` gives the line for the one that is in the
 * cart when the change is sent: presses under way count.
 */
export function putIn(
  learnerId: number,
  id: number,
  lineWith: (present: CartLine | undefined) => CartLine,
): Promise<LineOutcome | CartOutcome | null> {
  const line = () => lineWith(storedCart().lines.find((other) => other.id === id));
  return changeCart<LineOutcome | CartOutcome>({
    subject: id,
    send: () => register(learnerId, id, line().quantity),
    fold: (cart, { isDone }) =>
      isDone ? withLine(cart, { ...line(), status: 'registered' }) : withoutLine(cart, id),
  });
}

async function register(learnerId: number, id: number, quantity: number): Promise<LineOutcome | CartOutcome> {
  const outcome = await addLine(learnerId, id);
  // The learner who pressed may have signed out meanwhile.
  if (!outcome.isDone || quantity === 1 || refreshAuth().learner?.id !== learnerId) return outcome;
  return putLine(id, { quantity });
}
