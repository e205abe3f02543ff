import { LOCAL_KEYS } from '../storage/storageKeys';
import { readText, writeText } from '../storage/storedList';

/** The version of the account's cart that cart_products holds; null when it is not known to be this learner's. */
export function readCartVersion(learnerId: number): number | null {
  const [owner, version] = (readText(LOCAL_KEYS.cartVersion) ?? '').split(' ').map(Number);
  return owner === learnerId && version !== undefined && Number.isSafeInteger(version) ? version : null;
}

export function writeCartVersion(learnerId: number, version: number): void {
  writeText(LOCAL_KEYS.cartVersion, `${learnerId} ${version}`);
}
