import { type MergedLine, mergeCart, putLine, type ServerCart } from '../../api/cart';
import { inOneTab } from '../../browser/session/inOneTab';
import type { CartLine } from '../../model/cartLine';
import { isolated } from '../../model/isolated';
import { notify } from '../../ui/toasts/toasts';
import { reportMerge } from '../store/mergeReport';
import { changeStored, storedCart } from '../store/storedCart';
import { applyServerCart, cartQueue, readAccountCart, storedVersion } from './accountCart';
import { dropPageCart } from './pageCart';

/** When more lines were refused, their reasons stand in the cart alone. */
const MAX_REASONS = 3;

type Answer = { cart: ServerCart; merged: MergedLine[]; pending: CartLine[] };

const isLocal = (line: CartLine) => line.status === 'local';

/** Whether lines that were collected before sign-in wait to be merged. */
export const isMergeNeeded = () => Object.values(storedCart()).flat().some(isLocal);

/**
 * Loads the signed-in learner's cart. Lines collected before sign-in are merged first, and the outcome of each is
 * reported. Rejects with ApiProblem when a call fails: the local lines stay.
 */
export async function syncCart(): Promise<void> {
  let known: number | null = null;
  await cartQueue.add({
    subject: 'cart',
    kind: 'merge',
    send: () => {
      known = storedVersion();
      return inOneTab('cart-merge', loadAndMerge);
    },
    confirm: (answer) => storeMerged(answer, known),
  });
}

/** While one tab merges, others only load: a late merge would bring back a line removed after the first. */
async function loadAndMerge(mayMerge: boolean): Promise<Answer> {
  const { lines, saved } = storedCart();
  const pending = mayMerge ? [...lines, ...saved].filter(isLocal) : [];
  if (pending.length === 0) return { cart: await readAccountCart(), merged: [], pending };
  dropPageCart();
  const result = await mergeCart(pending.map(({ id, quantity }) => ({ id, quantity })));
  return { cart: await saveAgain(result.lines, saved, result.cart), merged: result.lines, pending };
}

/** Lines that were saved for later before sign-in are saved for later again. */
async function saveAgain(merged: MergedLine[], saved: CartLine[], cart: ServerCart): Promise<ServerCart> {
  let latest = cart;
  for (const { id, outcome } of merged) {
    const isSaved = saved.some((line) => line.id === id && isLocal(line));
    if (outcome === 'added' && isSaved) latest = (await putLine(id, { saved: true })).cart ?? latest;
  }
  return latest;
}

/** A line that changed during the merge stays local: the next merge has its quantity. */
function storeMerged({ cart, merged, pending }: Answer, known: number | null): void {
  const refused = new Set(merged.filter(({ outcome }) => outcome === 'refused').map(({ id }) => id));
  const isMerged = (line: CartLine) =>
    isLocal(line) && pending.some(({ id, quantity }) => id === line.id && quantity === line.quantity);
  changeStored(({ lines, saved }) => ({
    lines: [
      ...lines.filter((line) => !isMerged(line) && !refused.has(line.id)),
      ...pending
        .filter((line) => refused.has(line.id))
        .map((line) => ({ ...line, status: 'refused' as const })),
    ],
    saved: saved.filter((line) => !isMerged(line)),
  }));
  applyServerCart(cart, known);
  if (merged.length > 0) reportOutcome(merged, pending);
}

function reportOutcome(merged: MergedLine[], pending: CartLine[]): void {
  const names = new Map(pending.map((line) => [line.id, line.name]));
  reportMerge(
    merged.map(({ id, outcome, message }) => ({ id, name: names.get(id) ?? '', outcome, message })),
  );
  const refused = merged.filter(({ outcome }) => outcome === 'refused');
  const joined = merged.length - refused.length;
  if (joined > 0) void notify('info', `Your cart now holds what you chose before signing in: ${joined}.`);
  if (refused.length > MAX_REASONS)
    return void notify(
      'warning',
      `Some items could not be added; see the reasons in your cart: ${refused.length}.`,
    );
  for (const { id, message } of refused)
    void notify('warning', `${isolated(names.get(id) ?? '')} could not be added: ${message}`);
}
