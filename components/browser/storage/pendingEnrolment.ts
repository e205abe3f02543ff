import { SESSION_KEYS } from './storageKeys';
import { readTab, writeTab } from './tabStorage';

/**
 * Remembers, for this tab, the free course for which somebody goes to sign in. Where storage is refused or full, the
 * button is pressed once more after the sign-in.
 */
export function rememberEnrolment(course: number): void {
  writeTab(SESSION_KEYS.enrolment, String(course));
}

/** Whether this course is the one that was remembered, which is then forgotten. */
export function takeEnrolment(course: number): boolean {
  const isRemembered = readTab(SESSION_KEYS.enrolment) === String(course);
  return isRemembered && writeTab(SESSION_KEYS.enrolment, null);
}
