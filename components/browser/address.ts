import { outerReferrer } from '../model/visitAddress';

/** Whether the page of this path is the one on screen. */
export function isOnPage(path: string): boolean {
  return window.location.pathname === path;
}

/** Whether the address leads to the element of this id. */
export function leadsTo(id: string): boolean {
  return window.location.hash === `#${id}`;
}

/** Path and query of the current page. */
export function currentAddress(): string {
  return window.location.pathname + window.location.search;
}

// The address of the page before secrets were cut from it, while the page is still at the `shown` one.
let cut: { shown: string; whole: string } | null = null;

/** Where a sign-in returns to: the current page, with the secrets that were cut from its address and are still of use. */
export function returnAddress(): string {
  const shown = currentAddress();
  return cut?.shown === shown ? cut.whole : shown;
}

/** Removes secrets from the address of the page, without loading anything: it may be copied or kept in a history. */
export function cutFromAddress(names: string[]): void {
  const whole = returnAddress();
  const shown = without(currentAddress(), names);
  if (shown === currentAddress()) return;
  cut = { shown, whole };
  window.history.replaceState(window.history.state, '', shown);
}

/** A sign-in need not bring these back: what they open was accepted or declined. */
export function forgetCut(names: string[]): void {
  if (cut) cut = { ...cut, whole: without(cut.whole, names) };
}

function without(path: string, names: string[]): string {
  const address = new URL(path, window.location.origin);
  if (!names.some((name) => address.searchParams.has(name))) return path;
  for (const name of names) address.searchParams.delete(name);
  return address.pathname + address.search;
}

/** Puts a parameter into the address of the page, without loading anything: a reload comes back to it. */
export function putInAddress(name: string, value: string): void {
  const address = new URL(window.location.href);
  address.searchParams.set(name, value);
  window.history.replaceState(window.history.state, '', address.pathname + address.search);
}

let isTaken = false;

/** The page of another site that led to this document, once: it says nothing about later visits. */
export function takeReferrer(): string {
  if (isTaken) return '';
  isTaken = true;
  return outerReferrer(document.referrer, window.location.origin);
}
