import { siteCurrency } from '../browser/storage/siteCurrency';
import type {
  CartLineSchema,
  CartOutcomeSchema,
  CartSchema,
  LineChange,
  MergedCart,
  PricedLine,
  SpecOutcome,
} from '../contracts/schema';
import { minorOf } from '../model/money';
import { ApiProblem, get, post, put } from './client';

export type { MergedLine } from '../contracts/schema';

/**
 * The server's answer to a change by the learner; `message` is shown to people. Every other failure rejects with
 * ApiProblem.
 */
export type Outcome = { isDone: boolean; message: string };

/** A line as the server prices it. Money in minor units; `seenPrice` is the unit price that the learner saw last. */
export type QuotedLine = CartLineSchema;

/** docs/contracts.md, "Calls of our own". `unavailable`: ids that are no longer sold. */
export type ServerCart = CartSchema;

export type RequestedLine = { id: number; quantity: number };
export type CartOutcome = Outcome & { cart: ServerCart | null };

/** `version`: of the cart after the change; null from a host of the build before. */
export type LineOutcome = Outcome & { version: number | null };

// A change is sent also when the page is left meanwhile.
const CHANGE = { keepalive: true };

/** Registers a course or shop item in the learner's cart; idempotent. */
export function addLine(learnerId: number, id: number): Promise<LineOutcome> {
  return changeLine('/SetAAUserCourse', learnerId, id);
}

export function removeLine(learnerId: number, id: number): Promise<LineOutcome> {
  return changeLine('/DelAAUserCourse', learnerId, id);
}

async function changeLine(path: string, learnerId: number, id: number): Promise<LineOutcome> {
  let version: string | null = null;
  const onHeaders = (headers: Headers) => {
    version = headers.get('X-Cart-Version');
  };
  const body = { AAUserID: learnerId, CourseID: id };
  const outcome = outcomeOf(await post<SpecOutcome>(path, body, { ...CHANGE, onHeaders }));
  return { ...outcome, version: version === null ? null : Number(version) };
}

export type CodeOutcome = Outcome & { unitPrice: number | null; unitDiscount: number | null; code: string };

/** Applies a code to one line of the learner's cart; "" removes it. */
export async function putLineCode(learnerId: number, id: number, code: string): Promise<CodeOutcome> {
  const body = { CourseID: id, Code: code, AAUserID: learnerId };
  const result = await post<PricedLine>('/SetCourseCoupon', body, CHANGE);
  return {
    ...outcomeOf(result),
    unitPrice: minorOf(result.DiscountPrice, siteCurrency()),
    unitDiscount: minorOf(result.orderDiscount, siteCurrency()),
    code: result.orderDiscountCode,
  };
}

export function getCart(): Promise<ServerCart> {
  return get<ServerCart>('/cart');
}

export function getQuote(lines: readonly RequestedLine[]): Promise<ServerCart> {
  return post<ServerCart>('/cart/quote', { lines });
}

export async function putLine(id: number, change: LineChange): Promise<CartOutcome> {
  return cartOutcome(await put<CartOutcomeSchema>(`/cart/lines/${id}`, change, CHANGE));
}

/**
 * Marks the prices of one unit as seen, so that only later changes are reported. Best effort: a failure repeats the
 * notice.
 */
export async function putSeen(lines: readonly { id: number; price: number }[]): Promise<void> {
  await put('/cart/seen', { lines }).catch((problem: unknown) => {
    if (!(problem instanceof ApiProblem)) throw problem;
  });
}

/** Applies a coupon to the whole cart; "" removes it. `lines` is a guest's cart, null for a learner's. */
export async function putCoupon(code: string, lines: readonly RequestedLine[] | null): Promise<CartOutcome> {
  return cartOutcome(
    await put<CartOutcomeSchema>('/cart/coupon', lines ? { code, lines } : { code }, CHANGE),
  );
}

export function mergeCart(lines: readonly RequestedLine[]): Promise<MergedCart> {
  return post('/cart/merge', { lines });
}

function cartOutcome(result: CartOutcomeSchema): CartOutcome {
  return { isDone: result.status === 'success', message: result.message, cart: result.cart };
}

function outcomeOf(result: SpecOutcome | PricedLine): Outcome {
  return { isDone: result.Status === 'success', message: result.Message };
}
