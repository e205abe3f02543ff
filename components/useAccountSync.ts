import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageOnScreen } from './accountSync';
import { refreshAuth } from './api/auth';
import { checkOffer } from './api/offer';
import { followOtherTabs } from './browser/session/otherTabs';
import { currentSession, type Session, saveSession } from './browser/session/session';
import { loadCart } from './cart/store/cartStore';
import { onRouteChange } from './cart/store/panelStore';
import { loadOrReload } from './ui/loading/lazyModule';
import { notify } from './ui/toasts/toasts';
import { loadWishlist } from './wishlist/wishlistStore';

const DISCARDED = 'Your saved cart could not be read. What was damaged has been left out.';

/** Guests need no check, and a private page's session need not wait for the code of one. */
function checkSignIn(known: Session | null | undefined, page: PageOnScreen): void {
  const token = refreshAuth().accessToken;
  if (token && known) saveSession(known, token);
  refreshAuth(!token || !!known);
  if (token) void checkAccount(known, page);
}

async function checkAccount(known: Session | null | undefined, page: PageOnScreen): Promise<void> {
  try {
    const account = await loadOrReload(import('./accountSync'));
    await account.checkAccount(known, page);
  } finally {
    refreshAuth(true);
  }
}

function followTab(mayBeSignIn: boolean, page: PageOnScreen): void {
  loadCart();
  loadWishlist();
  // A new sign-in is checked like that of a new page, while the page stays.
  if (mayBeSignIn && refreshAuth().accessToken && !currentSession()) void checkAccount(undefined, page);
}

/**
 * Checks the sign-in, loads the stored cart, follows other tabs, syncs with the account, and closes the panel on route
 * changes. `known`: the session that came with a private page. `replaceData` shows a member's own
 * prices on a public page.
 */
export function useAccountSync(
  known: Session | null | undefined,
  build: string,
  replaceData: PageOnScreen['replaceData'],
): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    const page = { build, replaceData };
    if (loadCart()) void notify('warning', DISCARDED);
    loadWishlist();
    checkSignIn(known, page);
    void checkOffer();
    return followOtherTabs((mayBeSignIn) => followTab(mayBeSignIn, page));
  }, [known, build, replaceData]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs again for another address
  useEffect(onRouteChange, [pathname, search]);
}
