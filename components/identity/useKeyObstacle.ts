import { useSyncExternalStore } from 'react';
import { keyObstacle } from '../browser/webauthn';

const NEVER_CHANGES = () => () => undefined;

/** Why no passkey can be used here; null when one can, for everything else, and in the first drawing. */
export function useKeyObstacle(isKey: boolean): string | null {
  const obstacle = useSyncExternalStore(NEVER_CHANGES, keyObstacle, () => null);
  return isKey ? obstacle : null;
}
