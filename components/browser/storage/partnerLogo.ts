import { readCookies } from './cookies';
import { COOKIES } from './storageKeys';

/** The logo of the partner whose link led here: an image of this site, or "". */
export function partnerLogo(): string {
  const path = readCookies().get(COOKIES.partnerLogo) ?? '';
  return /^\/static\/(?:[\w-]+\/)*[\w-]+\.\w+$/.test(path) ? path : '';
}
