import { SESSION_KEYS } from './storageKeys';

/** The referrer's name as fetched in this session; null before that, and for another student. */
export function storedReferrer(studentNumber: string): string | null {
  try {
    const [number, name] = (window.sessionStorage.getItem(SESSION_KEYS.referrer) ?? '').split('\n');
    return number === studentNumber && name !== undefined ? name : null;
  } catch {
    return null;
  }
}

export function saveReferrer(studentNumber: string, name: string): void {
  try {
    window.sessionStorage.setItem(SESSION_KEYS.referrer, `${studentNumber}\n${name}`);
  } catch {
    // Refused or full: the next page fetches it again.
  }
}
