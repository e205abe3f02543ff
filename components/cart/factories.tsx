import { refreshAuth } from '../api/auth';
import type { ServerCart } from '../api/cartCalls';

export * from '../ui/cartSamples';

export const COURSE = { id: 1, name: 'Payroll Basics', listPrice: 10000, price: 10000, isItem: false };
export const ON_SALE = { ...COURSE, id: 2, name: 'VAT Basics', price: 8050 };
export const BOOK = { id: 9, name: 'The Calm Month End', listPrice: 3900, price: 3900, isItem: true };

export type Asked = [path: string, body: unknown];

/** A server that answers each path as told, with a status where a number is given; what it was asked, in order. */
export function serverThatSays(answers: Record<string, unknown>): Asked[] {
  const asked: Asked[] = [];
  globalThis.fetch = (async (address: string, { body }: RequestInit) => {
    const path = address.replace('/api', '');
    asked.push([path, body === undefined ? null : JSON.parse(String(body))]);
    const answer = answers[path];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    if (typeof answer === 'number')
      return new Response(JSON.stringify({ title: 'No', detail: `Status ${answer}.` }), { status: answer });
    return new Response(JSON.stringify(answer));
  }) as unknown as typeof fetch;
  return asked;
}

/** Toasts as they were asked for: to be put in the place of ui/toasts before what uses it is imported. */
export const said: string[] = [];
export const quietToasts = () => ({
  notify: async (kind: string, text: string) => {
    said.push(`${kind}: ${text}`);
  },
});

export function signIn(learnerId: number): void {
  const info = { accessToken: 't', user: { AAUserID: learnerId, Email: 'ada@example.test' } };
  setRaw(`userInfo=${encodeURIComponent(JSON.stringify(info))}`);
  refreshAuth();
}

export function setRaw(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = `${cookie}; path=/`;
}

/** Nobody, with an empty browser. */
export function forgetEverything(): void {
  for (const pair of document.cookie.split('; ')) setRaw(`${pair.split('=')[0]}=; max-age=0`);
  window.localStorage.clear();
  window.sessionStorage.clear();
  said.length = 0;
  refreshAuth();
}

export function kept(key = 'cart_products'): unknown {
  return JSON.parse(window.localStorage.getItem(key) ?? 'null');
}

export function keep(key: string, value: unknown): void {
  window.localStorage.setItem(key, JSON.stringify(value));
}

/** A line of the wire, as a guest who added it has it. */
export function wireLine(given: object = {}): object {
  return {
    ID: 1,
    Name: 'Payroll Basics',
    Price: 100,
    DiscountPrice: -1,
    orderQuantity: 1,
    orderDiscount: -1,
    orderDiscountCode: '',
    checkflag: 0,
    ...given,
  };
}

export type { ServerCart };
