import { COOKIES } from './storageKeys';

/** The specification's cookies that scripts may read, by their names in a visit. */
export type VisitCookies = {
  email: string;
  learnerId: number;
  couponId: string;
  studentNumber: string;
  specialCoupon: string;
};

/** Specification §3, auth state. The server does not trust it; it only decides what is shown. */
export type AuthState = {
  accessToken: string | null;
  learner: { id: number; email: string } | null;
  couponId: string;
  isRestricted: boolean;
};

export type OfferCookies = { id: string; code: string; wasChecked: boolean };

export function readCookies(): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of document.cookie.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0) cookies.set(pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim()));
  }
  return cookies;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Specification §9, unless the site's settings say otherwise.
let lifetimeMinutes = 180;

/** Called once, with the state of the document. */
export function setCookieLifetime(minutes: number): void {
  lifetimeMinutes = minutes;
}

/** SameSite=Lax, Secure on https. By default for every page, and for as long as the site's settings say. */
export function setCookie(name: string, value: string, path = '/', maxAgeS = lifetimeMinutes * 60): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const attributes = `; path=${path}; max-age=${maxAgeS}; SameSite=Lax${secure}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API exists on secure origins only
  document.cookie = `${name}=${encodeURIComponent(value)}${attributes}`;
}

type UserInfo = { accessToken: string; learnerId: number; email: string };

/** Validates the cookie userInfo: anything but its exact form reads as signed out. */
function userInfo(cookies: Map<string, string>): UserInfo | null {
  try {
    const value: unknown = JSON.parse(cookies.get(COOKIES.login) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { accessToken: token, user } = value as { accessToken?: unknown; user?: unknown };
    const { AAUserID, Email } = (user ?? {}) as { AAUserID?: unknown; Email?: unknown };
    if (typeof token !== 'string' || token === '') return null;
    return {
      accessToken: token,
      learnerId: positiveInteger(AAUserID),
      email: typeof Email === 'string' ? Email : '',
    };
  } catch {
    return null;
  }
}

function positiveInteger(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

export function accessToken(): string | null {
  return userInfo(readCookies())?.accessToken ?? null;
}

/** A token without a learner id counts as signed out: no call could name the learner's cart. */
export function authCookies(): AuthState {
  const cookies = readCookies();
  const user = userInfo(cookies);
  return {
    accessToken: user?.accessToken ?? null,
    learner: user?.learnerId ? { id: user.learnerId, email: user.email } : null,
    couponId: cookies.get(COOKIES.coupon) ?? '',
    isRestricted: cookies.get(COOKIES.restricted) === 'true',
  };
}

export function visitCookies(): VisitCookies {
  const cookies = readCookies();
  const user = userInfo(cookies);
  return {
    email: user?.email ?? '',
    learnerId: user?.learnerId ?? 0,
    couponId: cookies.get(COOKIES.coupon) ?? '',
    studentNumber: cookies.get(COOKIES.student) ?? '',
    specialCoupon: cookies.get(COOKIES.offerId) || cookies.get(COOKIES.offerCode) || '',
  };
}

export function offerCookies(): OfferCookies {
  const cookies = readCookies();
  return {
    id: cookies.get(COOKIES.offerId) ?? '',
    code: cookies.get(COOKIES.offerCode) ?? '',
    wasChecked: cookies.has(COOKIES.offerChecked),
  };
}

/**
 * Records the check for a special offer: 1 after any response, id and code only when there is one (specification §4).
 */
export function saveOffer(offer: { id: string; code: string } | null): void {
  setCookie(COOKIES.offerChecked, '1');
  if (!offer) return;
  setCookie(COOKIES.offerId, offer.id);
  setCookie(COOKIES.offerCode, offer.code);
}

export function studentNumber(): string {
  return readCookies().get(COOKIES.student) ?? '';
}
