import { fetchAgain } from './api/pages';
import { checkAuth } from './api/session/checkAuth';
import { loadSession } from './api/session/loadSession';
import { currentAddress } from './browser/address';
import { currentSession, type Session } from './browser/session/session';
import { syncCart } from './cart/account/mergeGuestCart';
import type { PageData } from './contracts/schema';
import { pageIdAt } from './model/servedPages';
import { syncWishlist } from './wishlist/accountWishlist';

/** The build of the page on screen, and how to show other data of it. */
export type PageOnScreen = { build: string; replaceData: (data: PageData) => Promise<void> };

const PRICED_PAGES = ['home', 'shop', 'search', 'course-details', 'shop-details'];

/** The authentication check of whoever has a token, and their cart beside it. `known`: as in `checkAuth`. */
export function checkAccount(known: Session | null | undefined, page: PageOnScreen): Promise<void> {
  return checkAuth(known, (isSessionKnown) => joinAccount(isSessionKnown, page));
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
 * Loads the signed-in learner's cart and wishlist; what was collected before sign-in is merged first. Rejects with
 * ApiProblem when a call fails: what is in this browser stays.
 */
export async function syncAccount(): Promise<void> {
  await syncCart();
  await syncWishlist();
}
