/** The specification's cookies that script may read (§3). Their names are known here and nowhere else in the browser. */
export type VisitCookies = {
  email: string;
  learnerId: number;
  couponId: string;
  studentNumber: string;
  specialCoupon: string;
};

function readCookies(): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of document.cookie.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0) found.set(pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim()));
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type UserInfo = { accessToken: string; learnerId: number; email: string };

/** The cookie userInfo, distrusted: anything but its exact form reads as signed out. */
function userInfo(cookies: Map<string, string>): UserInfo | null {
  try {
    const value: unknown = JSON.parse(cookies.get('userInfo') ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { accessToken: token, user } = value as { accessToken?: unknown; user?: unknown };
    const { AAUserID, Email } = (user ?? {}) as { AAUserID?: unknown; Email?: unknown };
    if (typeof token !== 'string' || token === '') return null;
    return {
      accessToken: token,
      learnerId: wholeNumber(AAUserID),
      email: typeof Email === 'string' ? Email : '',
    };
  } catch {
    return null;
  }
}

function wholeNumber(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

export function accessToken(): string | null {
  return userInfo(readCookies())?.accessToken ?? null;
}

export function visitCookies(): VisitCookies {
  const cookies = readCookies();
  const user = userInfo(cookies);
  return {
    email: user?.email ?? '',
    learnerId: user?.learnerId ?? 0,
    couponId: cookies.get('CouponID') ?? '',
    studentNumber: cookies.get('Stunum') ?? '',
    specialCoupon: cookies.get('specialcouponid') || cookies.get('specialcouponcode') || '',
  };
}
