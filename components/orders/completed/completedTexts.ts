import type { OrderStatus } from '../../contracts/schema';

/** What the page after paying is about. */
export type CompletedKind =
  | 'opening'
  | 'unopened'
  | 'waiting'
  | 'email'
  | 'unpaid'
  | Exclude<OrderStatus['state'], 'placed'>;

/** The first answers come before the payment provider's: only after them an order counts as not paid. */
const FIRST_ANSWERS = 2;

/**
 * `answers`: how often the page has heard of it since it was loaded. `isOpening`: the page to pay on is being opened.
 * `isBack`: the buyer says that nothing was paid.
 */
export function kindOf(
  { state, canPay, hasPage, retryMs }: OrderStatus,
  answers: number,
  { isOpening = false, isBack = false },
): CompletedKind {
  if (state !== 'placed') return state;
  if (canPay && isOpening) return 'opening';
  if (canPay && !hasPage) return 'unopened';
  if (retryMs === null) return 'email';
  return canPay && (isBack || answers >= FIRST_ANSWERS) ? 'unpaid' : 'waiting';
}

type Texts = { title: string; text?: string };

/** Titles, and texts where the state's own next step says less. */
export const TEXTS: Record<CompletedKind, Texts> = {
  opening: {
    title: 'Opening the page to pay on',
    text: 'Our payment provider takes a little longer than usual. This page goes on by itself as soon as it can: there is no need to press anything. Nothing is charged yet, and your order is kept.',
  },
  unopened: {
    title: 'Your order is placed, but you cannot pay it yet',
    text: 'Our payment provider is slow or does not answer just now, so the page to pay on has not opened. Nothing is charged, and your order is kept. Go on to payment in a moment: you will not order twice. Or change the order, or cancel it.',
  },
  waiting: {
    title: 'Checking your payment',
    text: 'This takes a few seconds as a rule. The page follows it by itself: there is no need to reload it or to pay again.',
  },
  email: {
    title: 'Your payment is not confirmed yet',
    text: 'It takes longer than usual. You may close this page: we will email you as soon as your order is paid, or if it is not.',
  },
  unpaid: {
    title: 'Your order is not paid yet',
    text: 'No payment has reached us so far, and nothing is charged twice: if you have just paid, there is no need to do it again. Otherwise go on to payment, change the order, or cancel it.',
  },
  processing: { title: 'Your payment is on its way' },
  paid: { title: 'Thank you: your order is paid' },
  expired: { title: 'This order has expired' },
  cancelled: { title: 'This order was cancelled' },
  refunded: { title: 'This order was refunded' },
};

/** Late payments and partial refunds are in the words of the state. */
export function titleOf(kind: CompletedKind, { state, stateText }: OrderStatus): string {
  const plain: Partial<Record<OrderStatus['state'], string>> = {
    processing: 'Payment on its way',
    expired: 'Expired',
    cancelled: 'Cancelled',
    paid: 'Paid',
    refunded: 'Refunded',
  };
  const expected = plain[state];
  return expected !== undefined && expected !== stateText ? stateText : TEXTS[kind].title;
}
