import { useSyncExternalStore } from 'react';
import { watchConnection } from '../../browser/progress/connection';
import { isOnline } from '../../browser/reload';

/** Whether the browser has a connection, as far as it can tell. */
export function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, isOnline, () => true);
}
