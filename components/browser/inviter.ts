import { IN_SESSION } from './names';

/** The inviter's name as it was learnt in this session; null when nobody asked yet, or for another student. */
export function keptInviter(studentNumber: string): string | null {
  try {
    const [number, name] = (window.sessionStorage.getItem(IN_SESSION.inviter) ?? '').split('\n');
    return number === studentNumber && name !== undefined ? name : null;
  } catch {
    return null;
  }
}

export function keepInviter(studentNumber: string, name: string): void {
  try {
    window.sessionStorage.setItem(IN_SESSION.inviter, `${studentNumber}\n${name}`);
  } catch {
    // Refused or full: the next page asks again.
  }
}
