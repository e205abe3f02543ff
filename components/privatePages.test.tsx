import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App';
import { refreshAuth } from './api/auth';
import { getPage } from './api/pages';
import { clearLogin } from './browser/session/clearLogin';
import { currentSession } from './browser/session/session';
import type { PageData } from './contracts/schema';
import { ownSession } from './fixtures/identity';
import { SITE } from './fixtures/renderInShop';
import { HEAD, SESSION } from './fixtures/session';
import { setCookie } from './fixtures/setCookie';
import { loadPage } from './routes';

const GRACE = { ...SESSION, learner: { ...SESSION.learner, id: 8, email: 'grace@example.test' } };
const requests: { path: string; token: string | null }[] = [];
const responses = new Map<string, unknown>();

function signIn(token: string, id: number, email: string): void {
  const info = encodeURIComponent(
    JSON.stringify({ accessToken: token, user: { AAUserID: id, Email: email } }),
  );
  setCookie(`userInfo=${info}`);
}

const privatePage = (browser: string, session: PageData['session'] = SESSION): PageData => ({
  page: 'profile',
  status: 200,
  head: HEAD,
  props: session ? { title: 'Profile', sessions: [ownSession({ browser })] } : { title: 'Profile', html: '' },
  session: session ?? null,
});

const PUBLIC: PageData = {
  page: 'about',
  status: 200,
  head: HEAD,
  props: {
    title: 'About',
    html: '<a href="/profile">to profile</a>',
    updatedAt: '',
    refundDays: null,
    crumbs: [],
  },
};

beforeEach(() => {
  requests.length = 0;
  responses.clear();
  window.localStorage.clear();
  window.scrollTo = jest.fn();
  // The special offer has been asked for.
  setCookie('specialcouponcheck=1');
  signIn('t', 7, 'ada@example.test');
  refreshAuth(false);
  globalThis.fetch = (async (path: string, { headers }: RequestInit = {}) => {
    if (!/^\/(?:data|api\/auth)/.test(path)) throw new TypeError('Failed to fetch');
    requests.push({ path, token: new Headers(headers).get('Authorization') });
    const response = responses.get(path);
    if (response === undefined) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(response));
  }) as typeof fetch;
});

async function open(address: string, first: PageData) {
  window.history.replaceState(null, '', address);
  await loadPage(first.page);
  await act(async () => {
    render(
      <BrowserRouter>
        <App site={SITE} first={first} />
      </BrowserRouter>,
    );
  });
}

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
/** What a page holds, wherever in memory: the data that it was opened with is looked at, too. */
const isForgotten = (page: PageData) => !JSON.stringify(page).includes('Netscape');

test('a private page asks neither for its data nor for the session', async () => {
  await open('/profile?a', privatePage('Netscape'));
  await heading('Your profile');
  expect(screen.getByText('Netscape')).toBeVisible();
  expect(currentSession()).toEqual(SESSION);
  expect(requests.filter(({ path }) => /data|auth/.test(path))).toEqual([]);
});

test('navigation loads data and session in one request with the token, beside the chunk', async () => {
  responses.set('/data/profile', privatePage('Netscape'));
  await open('/about?private', PUBLIC);
  await act(async () => userEvent.click(screen.getByRole('link', { name: 'to profile' })));
  await heading('Your profile');
  expect(requests.filter(({ path }) => path.startsWith('/data'))).toEqual([
    { path: '/data/profile', token: 'Bearer t' },
  ]);
  expect(currentSession()?.learner.id).toBe(7);
});

test('after a sign-out the page and what is kept of it are deleted', async () => {
  const page = privatePage('Netscape');
  await open('/profile?b', page);
  await heading('Your profile');
  await act(async () => {
    clearLogin();
    refreshAuth();
  });
  await heading('Please sign in');
  expect([isForgotten(page), currentSession()]).toEqual([true, null]);
  responses.set('/data/profile?b', privatePage('', null));
  expect(await getPage('/profile?b', 'test', true)).toMatchObject({ session: null });
});

test("another tab's sign-out deletes the page, its sign-in as someone else loads theirs", async () => {
  const page = privatePage('Netscape');
  await open('/profile?c', page);
  await heading('Your profile');
  await waitFor(() => expect(window.localStorage.getItem('session_until')).toBe(SESSION.expiresAt));
  clearLogin();
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'session_until' })));
  await heading('Please sign in');
  expect(isForgotten(page)).toBe(true);
  responses.set('/data/profile?c', privatePage('Mosaic', GRACE));
  responses.set('/api/auth/session', GRACE);
  signIn('u', 8, 'grace@example.test');
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'session_until' })));
  expect(await screen.findByText('Mosaic')).toBeVisible();
  expect(currentSession()?.learner.id).toBe(8);
});

test('a page without a session ends the sign-in of this browser', async () => {
  await open('/profile?d', privatePage('', null));
  await heading('Please sign in');
  expect(document.cookie).not.toContain('userInfo');
});

test('a host of the build before, which sends no session, is asked once and not again and again', async () => {
  const { session: _, ...before } = privatePage('', null);
  responses.set('/data/profile?e', before);
  await open('/profile?e', before);
  await heading('Please sign in');
  expect(requests.filter(({ path }) => path.startsWith('/data'))).toHaveLength(1);
});
