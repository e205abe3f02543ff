import { readCookies, setCookie } from './cookies';
import { COOKIES } from './storageKeys';

/** The name or email last typed in an identity form; it only prefills the field. */
export function lastName(): string {
  return readCookies().get(COOKIES.email) ?? '';
}

export function saveName(name: string): void {
  if (name) setCookie(COOKIES.email, name.slice(0, 254));
}

/** The code of a mail's link that belongs to a sign-in begun in another browser; "" without one. */
export function otpHint(): string {
  const code = readCookies().get(COOKIES.otpHint) ?? '';
  return /^[\w-]{1,16}$/.test(code) ? code : '';
}
