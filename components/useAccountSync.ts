import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageOnScreen } from './accountSync';
import { refreshAuth } from './api/auth';
import { checkOffer } from './api/offer';
import { type Session, saveSession } from './browser/session/session';
import { followOtherTabs, loadCart } from './cart/store/cartStore';
import { onRouteChange } from './cart/store/panelStore';
import { loadOrReload } from './ui/loading/lazyModule';
import { notify } from './ui/toasts/toasts';
import { followOtherTabsWishlist, loadWishlist } from './wishlist/wishlistStore';

const DISCARDED = 'Your saved cart could not be read. What was damaged has been left out.';

/** Guests need no check, and a private page's session need not wait for the code of one. */
async function checkSignIn(known: Session | null | undefined, page: PageOnScreen): Promise<void> {
  const token = refreshAuth().accessToken;
  if (token && known) saveSession(known, token);
  refreshAuth(!token || !!known);
  if (!token) return;
  try {
    const account = await loadOrReload(import('./accountSync'));
    await account.checkAccount(known, page);
  } finally {
    refreshAuth(true);
  }
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
    if (loadCart()) void notify('warning', DISCARDED);
    loadWishlist();
    void checkSignIn(known, { build, replaceData });
    void checkOffer();
    const stops = [followOtherTabs(), followOtherTabsWishlist()];
    return () => {
      for (const stop of stops) stop();
    };
  }, [known, build, replaceData]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs again for another address
  useEffect(onRouteChange, [pathname, search]);
}
