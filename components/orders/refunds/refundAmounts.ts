import type { RefundForm, RefundFormLine } from '../../contracts/schema';

/** Line number -> units that are to be refunded. */
export type ChosenUnits = Record<number, number>;

export type RefundPreview = {
  /** In minor units, with delivery. */
  amount: number;
  delivery: number;
  confirmations: Confirmation[];
  /** A person decides about it. */
  isDecided: boolean;
  /** Goods have to be sent back. */
  isReturned: boolean;
};
export type Confirmation = NonNullable<RefundFormLine['confirmation']>;

/** What a refund of the chosen units would be: the server computes it in the same way, once it is sent. */
export function previewRefund(form: RefundForm, chosen: ChosenUnits): RefundPreview {
  const lines = form.lines.filter(({ number, quantity }) => quantity > 0 && unitsOf(chosen, number) > 0);
  const delivery = areLastGoods(form, chosen) ? form.delivery : 0;
  const amount = lines.reduce(
    (sum, { number, amounts }) => sum + (amounts[unitsOf(chosen, number) - 1] ?? 0),
    delivery,
  );
  const wasSent = lines.some(({ isShipped }) => isShipped);
  return {
    amount,
    delivery,
    confirmations: [...new Set(lines.flatMap(({ confirmation }) => confirmation ?? []))],
    isDecided: wasSent || form.automatic === null || amount > form.automatic,
    isReturned: wasSent,
  };
}

export const unitsOf = (chosen: ChosenUnits, number: number) => chosen[number] ?? 0;

function areLastGoods({ lines, otherGoods }: RefundForm, chosen: ChosenUnits): boolean {
  const goods = lines.filter(({ isGoods }) => isGoods);
  const isChosen = goods.some(({ number }) => unitsOf(chosen, number) > 0);
  return (
    isChosen &&
    otherGoods === 0 &&
    goods.every(({ number, quantity }) => unitsOf(chosen, number) === quantity)
  );
}
