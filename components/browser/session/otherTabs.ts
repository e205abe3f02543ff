import { LOCAL_KEYS } from '../storage/storageKeys';
import { listen, onPageRestored } from '../windowEvents';

/**
 * Calls `changed` when another tab changes what is stored, or this page comes back from the history's cache.
 * `mayBeSignIn`: somebody may have signed in or out.
 */
export function followOtherTabs(changed: (mayBeSignIn: boolean) => void): () => void {
  const stopStorage = listen(window, 'storage', ({ key }: StorageEvent) =>
    changed(key === LOCAL_KEYS.session || key === null),
  );
  const stopReturns = onPageRestored(() => changed(true));
  return () => {
    stopStorage();
    stopReturns();
  };
}
