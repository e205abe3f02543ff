/** Whether the page of this path is the one on screen. */
export function isOnPage(path: string): boolean {
  return window.location.pathname === path;
}

/** Path and query of the current page; a sign-in returns there. */
export function currentAddress(): string {
  return window.location.pathname + window.location.search;
}
