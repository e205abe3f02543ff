import { useSyncExternalStore } from 'react';
import { passkeyProblem } from '../../browser/webauthn';

const NEVER_CHANGES = () => () => undefined;

/** Why no passkey can be used here; null when one can, for other authenticators, and on the first render. */
export function usePasskeyProblem(isPasskey: boolean): string | null {
  const problem = useSyncExternalStore(NEVER_CHANGES, passkeyProblem, () => null);
  return isPasskey ? problem : null;
}
