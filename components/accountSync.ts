import { refreshAuth } from './api/auth';
import { getCart, type MergedLine, mergeCart, putLine } from './api/cart';
import { fetchAgain } from './api/pages';
import { checkAuth } from './api/session/checkAuth';
import { loadSession } from './api/session/loadSession';
import { currentAddress } from './browser/address';
import { followOtherTabs } from './browser/session/otherTabs';
import { currentSession, type Session } from './browser/session/session';
import { currentCart, setLines, setSaved } from './cart/store/cartStore';
import { reportMerge } from './cart/store/mergeReport';
import { applyServerCart } from './cart/store/quoteStore';
import type { PageData } from './contracts/schema';
import type { CartLine } from './model/cartLine';
import { pageIdAt } from './model/servedPages';
import { notify } from './ui/toasts/toasts';
import { syncWishlist } from './wishlist/syncWishlist';

/** The build of the page on screen, and how to show other data of it. */
export type PageOnScreen = { build: string; replaceData: (data: PageData) => Promise<void> };

const PRICED_PAGES = ['home', 'shop', 'search', 'course-details', 'shop-details'];

let isFollowing = false;

/** The authentication check of whoever has a token, and their cart beside it. `known`: as in `checkAuth`. */
export function checkAccount(known: Session | null | undefined, page: PageOnScreen): Promise<void> {
  if (!isFollowing) followOtherTabs(() => followSignIn(page));
  isFollowing = true;
  return checkAuth(known, (isSessionKnown) => joinAccount(isSessionKnown, page));
}

/** Another tab signed in or out: a new sign-in is checked like that of a new page. */
function followSignIn(page: PageOnScreen): void {
  if (refreshAuth().accessToken && !currentSession()) void checkAccount(undefined, page);
}

async function joinAccount(isSessionKnown: boolean, page: PageOnScreen): Promise<void> {
  const session = isSessionKnown ? null : loadSession().then(() => showOwnPrices(page));
  await Promise.all([session, syncAccount()]);
}

/** A document has everyone's prices: a member of an organisation sees their own when the page's data is there. */
function showOwnPrices({ build, replaceData }: PageOnScreen): void {
  const address = currentAddress();
  const id = pageIdAt(address.split('?', 1)[0] ?? address);
  if (!currentSession()?.organisations.length || !id || !PRICED_PAGES.includes(id)) return;
  // Without a response everyone's prices stay; the cart has the member's.
  fetchAgain(address, build).then(
    (data) => {
      if (!('location' in data) && address === currentAddress()) void replaceData(data);
    },
    () => undefined,
  );
}

/**
 * Loads the signed-in learner's cart. Lines collected before sign-in are merged first, and the outcome of each is
 * reported; then the server's lines replace the local ones. Rejects with ApiProblem when a call fails: the local
 * lines stay.
 */
export async function syncAccount(): Promise<void> {
  const { lines, saved } = currentCart();
  const isPending = (line: CartLine) => line.status === 'local';
  const pending = [...lines, ...saved].filter(isPending);
  if (pending.length > 0)
    await mergePending(pending, new Set(saved.filter(isPending).map((line) => line.id)));
  else applyServerCart(await getCart());
  await syncWishlist();
}

async function mergePending(pending: CartLine[], savedIds: Set<number>): Promise<void> {
  const result = await mergeCart(pending.map(({ id, quantity }) => ({ id, quantity })));
  const refused = new Set(result.lines.filter(({ outcome }) => outcome === 'refused').map(({ id }) => id));
  setLines((lines) => [
    ...lines.filter((line) => !refused.has(line.id)),
    ...pending
      .filter((line) => refused.has(line.id))
      .map((line) => ({ ...line, status: 'refused' as const })),
  ]);
  setSaved((saved) => saved.filter((line) => !savedIds.has(line.id)));
  applyServerCart(result.cart);
  reportOutcome(result.lines, pending);
  await saveAgain(result.lines, savedIds);
}

/** Lines that were saved for later before sign-in are saved for later again. */
async function saveAgain(merged: MergedLine[], savedIds: Set<number>): Promise<void> {
  for (const { id, outcome } of merged) {
    if (outcome !== 'added' || !savedIds.has(id)) continue;
    const { cart } = await putLine(id, { saved: true });
    if (cart) applyServerCart(cart);
  }
}

function reportOutcome(merged: MergedLine[], pending: CartLine[]): void {
  const names = new Map(pending.map((line) => [line.id, line.name]));
  reportMerge(
    merged.map(({ id, outcome, message }) => ({ id, name: names.get(id) ?? '', outcome, message })),
  );
  const refused = merged.filter(({ outcome }) => outcome === 'refused').length;
  const joined = merged.length - refused;
  if (joined > 0) void notify('info', `Your cart now holds what you chose before signing in: ${joined}.`);
  if (refused > 0)
    void notify('warning', `Some items could not be added; see the reasons in your cart: ${refused}.`);
}
