import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { checkAuth, refreshAuth } from './api/auth';
import { checkOffer } from './api/offer';
import { currentSession, followOtherTabs as followSession, type Session } from './browser/session/session';
import { followOtherTabs, loadCart } from './cart/store/cartStore';
import { onRouteChange } from './cart/store/panelStore';
import { loadOrReload } from './ui/loading/lazyModule';
import { notify } from './ui/toasts/toasts';
import { followOtherTabsWishlist, loadWishlist } from './wishlist/wishlistStore';

const DISCARDED = 'Your saved cart could not be read. What was damaged has been left out.';

async function joinAccount(isSessionKnown: boolean): Promise<void> {
  const account = await loadOrReload(import('./accountSync'));
  await account.joinAccount(isSessionKnown);
}

/** Another tab signed in or out: a new sign-in is checked like that of a new page. */
function followSignIn(): void {
  if (refreshAuth().accessToken && !currentSession()) void checkAuth(undefined, joinAccount);
}

/**
 * Checks the sign-in, loads the stored cart, follows other tabs, syncs with the account, and closes the panel on route
 * changes. `known`: the session that came with a private page.
 */
export function useAccountSync(known: Session | null | undefined): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (loadCart()) void notify('warning', DISCARDED);
    loadWishlist();
    void checkAuth(known, joinAccount);
    void checkOffer();
    const stops = [followOtherTabs(), followOtherTabsWishlist(), followSession(followSignIn)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [known]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs again for another address
  useEffect(onRouteChange, [pathname, search]);
}
