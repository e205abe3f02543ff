// Security: only a path of this site, and none that would sign in or out at once.
const SAFE = /^\/(?![/\\])[^\p{Cc}\\]{0,511}$/u;
const IDENTITY =
  /^\/(?:login|logout|logincallback|register|forgot|verify|adminlogin|create-password|reset-password|organization-(?:login|forgot))(?:[/?#]|$)/i;

/** The return address after a sign-in: the requested one if it is a safe path of this site, else the home page. */
export function safeReturn(requested: string | null): string {
  return requested !== null && SAFE.test(requested) && !IDENTITY.test(requested) ? requested : '/';
}

export function loginAddress(returnTo: string, page = '/login'): string {
  const safe = safeReturn(returnTo);
  return safe === '/' ? page : `${page}?returnTo=${encodeURIComponent(safe)}`;
}
