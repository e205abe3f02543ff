import { LOCAL_KEYS } from '../storage/storageKeys';

/**
 * Calls `changed` when another tab changes what is stored, or this page comes back from the history's cache.
 * `mayBeSignIn`: somebody may have signed in or out.
 */
export function followOtherTabs(changed: (mayBeSignIn: boolean) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => changed(key === LOCAL_KEYS.session || key === null);
  const onReturn = ({ persisted }: PageTransitionEvent) => {
    if (persisted) changed(true);
  };
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onReturn);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onReturn);
  };
}
