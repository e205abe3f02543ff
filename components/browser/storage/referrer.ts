import { SESSION_KEYS } from './storageKeys';
import { readTab, writeTab } from './tabStorage';

/** The referrer's name as fetched in this session; null before that, and for another student. */
export function storedReferrer(studentNumber: string): string | null {
  const [number, name] = (readTab(SESSION_KEYS.referrer) ?? '').split('\n');
  return number === studentNumber && name !== undefined ? name : null;
}

/** Where storage is refused or full, the next page fetches the name again. */
export function saveReferrer(studentNumber: string, name: string): void {
  writeTab(SESSION_KEYS.referrer, `${studentNumber}\n${name}`);
}
