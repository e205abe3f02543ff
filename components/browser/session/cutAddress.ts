import { currentAddress, setReturnAddress } from '../address';

// The address of the page before secrets were cut from it, while the page is still at the `shown` one.
let cut: { shown: string; whole: string } | null = null;

function wholeAddress(): string {
  const shown = currentAddress();
  return cut?.shown === shown ? cut.whole : shown;
}

/**
 * Removes secrets from the address of the page, without loading anything: it may be copied or kept in a history. A
 * sign-in still returns to the whole one.
 */
export function cutFromAddress(names: string[]): void {
  const whole = wholeAddress();
  const shown = without(currentAddress(), names);
  if (shown === currentAddress()) return;
  cut = { shown, whole };
  setReturnAddress(wholeAddress);
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
