import { getCart, type MergedLine, mergeCart, putLine } from '../api/cartCalls';
import type { CartLine } from '../api/cartLines';
import { notify } from '../ui/toasts';
import { currentCart, setLines, setSaved } from './cartStore';
import { reportMerge } from './mergeReport';
import { takeAccountCart } from './quoteStore';
import { syncWishes } from './wishSync';

/**
 * The signed-in learner's cart. What this browser gathered before joins it, line by line and never silently; then the
 * server's lines stand here. Rejects with ApiProblem when the account cannot be asked: nothing is lost here then.
 */
export async function syncAccount(): Promise<void> {
  const { lines, saved } = currentCart();
  const isPending = (line: CartLine) => line.status === 'local';
  const pending = [...lines, ...saved].filter(isPending);
  if (pending.length > 0) await join(pending, new Set(saved.filter(isPending).map((line) => line.id)));
  else takeAccountCart(await getCart());
  await syncWishes();
}

async function join(pending: CartLine[], savedIds: Set<number>): Promise<void> {
  const answer = await mergeCart(pending.map(({ id, quantity }) => ({ id, quantity })));
  const refused = new Set(answer.lines.filter(({ outcome }) => outcome === 'refused').map(({ id }) => id));
  setLines((lines) => [
    ...lines.filter((line) => !refused.has(line.id)),
    ...pending
      .filter((line) => refused.has(line.id))
      .map((line) => ({ ...line, status: 'refused' as const })),
  ]);
  setSaved((saved) => saved.filter((line) => !savedIds.has(line.id)));
  takeAccountCart(answer.cart);
  tell(answer.lines, pending);
  await saveAgain(answer.lines, savedIds);
}

/** What had been put aside before sign-in is put aside again. */
async function saveAgain(merged: MergedLine[], savedIds: Set<number>): Promise<void> {
  for (const { id, outcome } of merged) {
    if (outcome !== 'added' || !savedIds.has(id)) continue;
    const { cart } = await putLine(id, { saved: true });
    if (cart) takeAccountCart(cart);
  }
}

function tell(merged: MergedLine[], pending: CartLine[]): void {
  const names = new Map(pending.map((line) => [line.id, line.name]));
  reportMerge(
    merged.map(({ id, outcome, message }) => ({ id, name: names.get(id) ?? '', outcome, message })),
  );
  const refused = merged.filter(({ outcome }) => outcome === 'refused').length;
  const joined = merged.length - refused;
  if (joined > 0) void notify('info', `Your cart now holds what you chose before signing in: ${joined}.`);
  if (refused > 0) void notify('warning', `Not everything could be kept; your cart says why: ${refused}.`);
}
