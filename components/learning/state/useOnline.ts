import { useSyncExternalStore } from 'react';
import { isOnline } from '../../browser/reload';
import { watchConnection } from '../../browser/windowEvents';

/** Whether the browser has a connection, as far as it can tell. */
export function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, isOnline, () => true);
}
