import { outerReferrer } from '../model/visitAddress';

/** Whether the page of this path is the one on screen. */
export function isOnPage(path: string): boolean {
  return window.location.pathname === path;
}

/** Path and query of the current page; a sign-in returns there. */
export function currentAddress(): string {
  return window.location.pathname + window.location.search;
}

let isTaken = false;

/** The page of another site that led to this document, once: it says nothing about later visits. */
export function takeReferrer(): string {
  if (isTaken) return '';
  isTaken = true;
  return outerReferrer(document.referrer, window.location.origin);
}
