import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { refreshAuth } from '../api/auth';
import type { Transaction } from '../api/identity';
import { InShop } from '../ui/samples';

export * from '../ui/identitySamples';

export type Asked = [path: string, body: unknown];
type Answer = object | { status: number; body: object; headers?: Record<string, string> };

/** A host that answers each path with what is next in its list, the last one again and again; what it was asked. */
export function hostThatSays(answers: Record<string, Answer[]>): Asked[] {
  const asked: Asked[] = [];
  globalThis.fetch = (async (address: string, { body }: RequestInit) => {
    const path = address.replace('/api', '');
    asked.push([path, body === undefined ? null : JSON.parse(String(body))]);
    const left = answers[path];
    const answer = left && left.length > 1 ? left.shift() : left?.[0];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    const isRefused = 'status' in answer && typeof answer.status === 'number';
    if (!isRefused) return new Response(JSON.stringify(answer));
    const { status, body: said, headers } = answer as { status: number; body: object; headers?: HeadersInit };
    return new Response(JSON.stringify(said), { status, ...(headers ? { headers } : {}) });
  }) as unknown as typeof fetch;
  return asked;
}

export const refused = (status: number, detail: string, more: object = {}, retryAfterS = 0) => ({
  status,
  body: { status, title: 'No', detail, ...more },
  headers: retryAfterS ? { 'Retry-After': String(retryAfterS) } : {},
});

function Where() {
  const { pathname, search } = useLocation();
  return <output data-testid="where">{pathname + search}</output>;
}

/** Drawn at an address; the place it leads to is told beside it. */
export async function showAt(address: string, node: ReactNode) {
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[address]}>
        <InShop>{node}</InShop>
        <Where />
      </MemoryRouter>,
    );
  });
}

export function setCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = `${cookie}; path=/`;
}

/** Nobody, with an empty browser. */
export function forgetEverything(): void {
  for (const pair of document.cookie.split('; ')) setCookie(`${pair.split('=')[0]}=; max-age=0`);
  window.sessionStorage.clear();
  refreshAuth(true);
}

export function signedIn(): void {
  const info = { accessToken: 't', user: { AAUserID: 7, Email: 'ada@example.test' } };
  setCookie(`userInfo=${encodeURIComponent(JSON.stringify(info))}`);
  refreshAuth(true);
}

export type { Transaction };
