import { outerReferrer } from '../model/visitAddress';

/** Whether the page of this path is the one on screen. */
export function isOnPage(path: string): boolean {
  return window.location.pathname === path;
}

/** Path and query of the current page. */
export function currentAddress(): string {
  return window.location.pathname + window.location.search;
}

let returns = currentAddress;

/** `read`: where a sign-in returns to from now on. */
export function setReturnAddress(read: () => string): void {
  returns = read;
}

/** Where a sign-in returns to: the current page, with the secrets that were cut from its address and are still of use. */
export const returnAddress = (): string => returns();

let isTaken = false;

/**
 * The page of another site that led to this document, '' without one; undefined from the second time on, as it says
 * nothing about later visits.
 */
export function takeReferrer(): string | undefined {
  if (isTaken) return;
  isTaken = true;
  return outerReferrer(document.referrer, window.location.origin);
}
