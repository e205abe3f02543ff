import { SESSION_KEYS } from './storageKeys';

/** Remembers, for this tab, the free course for which somebody goes to sign in. */
export function rememberEnrolment(course: number): void {
  try {
    window.sessionStorage.setItem(SESSION_KEYS.enrolment, String(course));
  } catch {
    // Refused or full: after the sign-in the button is pressed once more.
  }
}

/** Whether this course is the one that was remembered, which is then forgotten. */
export function takeEnrolment(course: number): boolean {
  try {
    const isRemembered = window.sessionStorage.getItem(SESSION_KEYS.enrolment) === String(course);
    if (isRemembered) window.sessionStorage.removeItem(SESSION_KEYS.enrolment);
    return isRemembered;
  } catch {
    return false;
  }
}
