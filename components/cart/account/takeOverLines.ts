import type { MergedLine, RequestedLine } from '../../api/cart';
import { mergeLink } from '../../api/cartLinks';
import { applyServerCart, cartQueue, storedVersion } from './accountCart';

/** Adds the lines of a link to the account's cart, with an outcome for each. Rejects with ApiProblem. */
export async function takeOverLines(
  lines: readonly RequestedLine[],
  cartToken: string,
): Promise<MergedLine[] | null> {
  let known: number | null = null;
  const answer = await cartQueue.add({
    subject: 'cart',
    kind: 'take over',
    send: () => {
      known = storedVersion();
      return mergeLink(
        lines.map(({ id, quantity }) => ({ id, quantity })),
        cartToken,
      );
    },
    confirm: ({ cart }) => {
      applyServerCart(cart, known);
    },
  });
  return answer?.lines ?? null;
}
