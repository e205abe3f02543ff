// Security: only a path of this site, and none that would sign in or out at once.
const SAFE = /^\/(?![/\\])[^\p{Cc}\\]{0,511}$/u;
const IDENTITY =
  /^\/(?:login|logout|logincallback|register|forgot|verify|adminlogin|create-password|reset-password|organization-(?:login|forgot))(?:[/?#]|$)/i;

/** Where a sign-in ends: the wish when it is a path of this site, else the front page. */
export function safeReturn(wish: string | null): string {
  return wish !== null && SAFE.test(wish) && !IDENTITY.test(wish) ? wish : '/';
}

export function loginAddress(returnTo: string, page = '/login'): string {
  const safe = safeReturn(returnTo);
  return safe === '/' ? page : `${page}?returnTo=${encodeURIComponent(safe)}`;
}
