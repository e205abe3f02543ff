import { LOCAL_KEYS } from '../storage/storageKeys';

/** Calls `changed` when another tab signs in or out, or this page comes back from the history's cache. */
export function followOtherTabs(changed: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === LOCAL_KEYS.session || key === null) changed();
  };
  const onReturn = ({ persisted }: PageTransitionEvent) => {
    if (persisted) changed();
  };
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onReturn);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onReturn);
  };
}
