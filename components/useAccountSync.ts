import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { checkAuth } from './api/auth';
import { checkOffer } from './api/offer';
import { followOtherTabs, loadCart } from './cart/store/cartStore';
import { onRouteChange } from './cart/store/panelStore';
import { notify } from './ui/toasts/toasts';
import { followOtherTabsWishlist, loadWishlist } from './wishlist/wishlistStore';

const DISCARDED = 'Your saved cart could not be read. What was damaged has been left out.';

async function joinAccount(): Promise<void> {
  const { syncAccount } = await import('./accountSync');
  await syncAccount();
}

/** Loads the stored cart, follows other tabs, syncs with the account, and closes the panel on route changes. */
export function useAccountSync(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (loadCart()) void notify('warning', DISCARDED);
    loadWishlist();
    void checkAuth(joinAccount);
    void checkOffer();
    const stops = [followOtherTabs(), followOtherTabsWishlist()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs again for another address
  useEffect(onRouteChange, [pathname, search]);
}
