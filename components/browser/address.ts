/** Whether the page of this path is the one on screen. */
export function isOnPage(path: string): boolean {
  return window.location.pathname === path;
}
