import type { Loser, Refusal, Step } from './cartQuote';
import { ApiProblem, get, post, put } from './client';
import type { ItemKind, Picture } from './pageProps';
import { minorOf } from './wireMoney';

/** What the server says to a wish of the learner; `message` is for people. Anything else is thrown: ApiProblem. */
export type Outcome = { isDone: boolean; message: string };

/** A line as the server prices it. Money in minor units; `seenPrice` is what one cost when the learner last looked. */
export type QuotedLine = {
  id: number;
  kind: 'course' | 'item';
  name: string;
  href: string;
  picture: Picture;
  category: { slug: string; name: string };
  itemKind: ItemKind | null;
  quantity: number;
  /** null: as many as one likes. */
  stock: number | null;
  listPrice: number;
  salePrice: number | null;
  unitPrice: number;
  unitOff: number | null;
  code: string | null;
  seenPrice: number | null;
  steps: Step[];
  losers: Loser[];
  total: number;
};

/** The four fields of specification §3, couponInfo, in major units. */
export type CouponInfo = {
  discountPercentage: number;
  minimumAmount: number;
  discountProductType: string;
  discountAmount: number;
};

/** docs/wire.md, "Calls of our own". `missing`: ids that are sold no more. */
export type ServerCart = {
  lines: QuotedLine[];
  saved: QuotedLine[];
  missing: number[];
  coupon: (CouponInfo & { code: string }) | null;
  refusals: Refusal[];
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
};

export type Wanted = { id: number; quantity: number };
export type CartOutcome = Outcome & { cart: ServerCart | null };
export type MergedLine = { id: number; outcome: 'added' | 'kept' | 'refused'; message: string };

type Answer = { Status: string; Message?: string };
type OwnAnswer = { status: string; message: string; cart?: ServerCart | null };

/** Registers a course or shop item in the learner's cart; idempotent. */
export async function registerLine(learnerId: number, id: number): Promise<Outcome> {
  return outcomeOf(await post<Answer>('/SetAAUserCourse', { AAUserID: learnerId, CourseID: id }));
}

export async function dropLine(learnerId: number, id: number): Promise<Outcome> {
  return outcomeOf(await post<Answer>('/DelAAUserCourse', { AAUserID: learnerId, CourseID: id }));
}

type CodeAnswer = Answer & { DiscountPrice: number; orderDiscount: number; orderDiscountCode: string };
export type CodeOutcome = Outcome & { unitPrice: number | null; unitOff: number | null; code: string };

/** Puts a code on one line of the learner's cart; "" takes it off. */
export async function putLineCode(learnerId: number, id: number, code: string): Promise<CodeOutcome> {
  const body = { CourseID: id, Code: code, AAUserID: learnerId };
  const answer = await post<CodeAnswer>('/SetCourseCoupon', body);
  return {
    ...outcomeOf(answer),
    unitPrice: minorOf(answer.DiscountPrice),
    unitOff: minorOf(answer.orderDiscount),
    code: answer.orderDiscountCode,
  };
}

export function getCart(): Promise<ServerCart> {
  return get<ServerCart>('/cart');
}

export function getQuote(lines: readonly Wanted[]): Promise<ServerCart> {
  return post<ServerCart>('/cart/quote', { lines });
}

export async function putLine(
  id: number,
  change: { quantity?: number; saved?: boolean },
): Promise<CartOutcome> {
  return cartOutcome(await put<OwnAnswer>(`/cart/lines/${id}`, change));
}

/** The learner was told of these prices of one unit; another one is told again. Best effort: told twice does no harm. */
export async function putSeen(lines: readonly { id: number; price: number }[]): Promise<void> {
  await put('/cart/seen', { lines }).catch((problem: unknown) => {
    if (!(problem instanceof ApiProblem)) throw problem;
  });
}

/** The coupon of the whole cart; "" takes it off. `lines` is a guest's cart, null for a learner's. */
export async function putCoupon(code: string, lines: readonly Wanted[] | null): Promise<CartOutcome> {
  return cartOutcome(await put<OwnAnswer>('/cart/coupon', lines ? { code, lines } : { code }));
}

export function mergeCart(lines: readonly Wanted[]): Promise<{ lines: MergedLine[]; cart: ServerCart }> {
  return post('/cart/merge', { lines });
}

function cartOutcome(answer: OwnAnswer): CartOutcome {
  return { isDone: answer.status === 'success', message: answer.message, cart: answer.cart ?? null };
}

function outcomeOf(answer: Answer): Outcome {
  return { isDone: answer.Status === 'success', message: answer.Message ?? '' };
}
