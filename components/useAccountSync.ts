import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { checkAuth } from '../api/auth';
import { checkOffer } from '../api/offer';
import { notify } from '../ui/toasts';
import { followOtherTabs, loadCart } from './cartStore';
import { onRouteChange } from './panelStore';
import { followOtherTabsWishes, loadWishes } from './wishStore';

const DISCARDED = 'Your saved cart could not be read. What was damaged has been left out.';

async function joinAccount(): Promise<void> {
  const { syncAccount } = await import('./cartSync');
  await syncAccount();
}

/** What the cart does by itself: reads what is kept, follows other tabs, joins the account, gives way to new pages. */
export function useCartLife(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (loadCart()) void notify('warning', DISCARDED);
    loadWishes();
    void checkAuth(joinAccount);
    void checkOffer();
    const stops = [followOtherTabs(), followOtherTabsWishes()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what it waits for
  useEffect(onRouteChange, [pathname, search]);
}
