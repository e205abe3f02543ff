import { clearLogin } from '../browser/session/clearLogin';
import { followOtherTabs } from '../browser/session/otherTabs';
import { currentSession, subscribe } from '../browser/session/session';
import { SESSION } from '../fixtures/session';
import { setCookie } from '../fixtures/setCookie';
import { currentAuth, refreshAuth } from './auth';
import { ApiProblem } from './client';
import { checkAuth } from './session/checkAuth';
import { loadSession } from './session/loadSession';

function signIn() {
  setCookie(
    `userInfo=${encodeURIComponent('{"accessToken":"t","user":{"AAUserID":7,"Email":"ada@example.test"}}')}`,
  );
}

beforeEach(() => {
  for (const name of ['userInfo', 'CouponID', 'IsRestrictedAccess']) setCookie(`${name}=; max-age=0`);
  refreshAuth(false);
});

test('the state is read from the cookies', () => {
  signIn();
  setCookie('CouponID=TAX');
  setCookie('IsRestrictedAccess=true');
  expect(refreshAuth()).toEqual({
    accessToken: 't',
    learner: { id: 7, email: 'ada@example.test' },
    couponId: 'TAX',
    isRestricted: true,
    isChecked: false,
  });
});

test('signed out the check is done without asking', async () => {
  const request = jest.fn();
  await checkAuth(undefined, request);
  expect([request.mock.calls.length, currentAuth().isChecked]).toEqual([0, true]);
});

test.each([
  ['succeeds', () => Promise.resolve(), true],
  ['gets no answer', () => Promise.reject(new ApiProblem({ status: 503, title: 'Away' })), true],
  [
    'learns that the session is no more',
    () => Promise.reject(new ApiProblem({ status: 401, title: 'No' })),
    false,
  ],
])('the check is done when it %s', async (_, request, isSignedIn) => {
  signIn();
  await checkAuth(undefined, request);
  expect([currentAuth().isChecked, currentAuth().learner !== null]).toEqual([true, isSignedIn]);
});

test('a server that does not answer ends the wait after 5 s', async () => {
  jest.useFakeTimers();
  signIn();
  const done = checkAuth(undefined, () => new Promise(() => undefined));
  await jest.advanceTimersByTimeAsync(4999);
  expect(currentAuth().isChecked).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await done;
  expect(currentAuth()).toMatchObject({ isChecked: true, learner: { id: 7 } });
  jest.useRealTimers();
});

test('the session of a private page is known at once, and only the cart is asked for', async () => {
  signIn();
  const request = jest.fn(() => new Promise(() => undefined));
  void checkAuth(SESSION, request);
  expect([currentAuth().isChecked, currentSession()]).toEqual([true, SESSION]);
  expect(request.mock.calls).toEqual([[true]]);
});

test('a private page without a session ends the sign-in of this browser', async () => {
  signIn();
  const request = jest.fn();
  await checkAuth(null, request);
  expect([currentAuth().learner, currentAuth().isChecked, request.mock.calls]).toEqual([null, true, []]);
});

test('the check asks for the session with the bearer token', async () => {
  signIn();
  const fetching = jest.fn(async () => new Response(JSON.stringify(SESSION)));
  globalThis.fetch = fetching as unknown as typeof fetch;
  await checkAuth(undefined, loadSession);
  expect(currentSession()).toEqual(SESSION);
  expect(fetching.mock.calls[0]).toMatchObject([
    '/api/auth/session',
    { method: 'GET', headers: { Authorization: 'Bearer t' } },
  ]);
});

test('an answer for somebody who signed out meanwhile is dropped', async () => {
  signIn();
  globalThis.fetch = (async () => {
    clearLogin();
    return new Response(JSON.stringify(SESSION));
  }) as unknown as typeof fetch;
  await loadSession();
  expect(currentSession()).toBeNull();
});

test.each([
  ['sign-out', () => clearLogin()],
  [
    'sign-in as someone else',
    () => setCookie('userInfo={"accessToken":"u","user":{"AAUserID":8,"Email":""}}'),
  ],
])('after a %s the session is dropped and its subscribers hear of it', async (_, change) => {
  signIn();
  await checkAuth(SESSION, async () => undefined);
  const changed = jest.fn();
  const stop = subscribe(changed);
  change();
  refreshAuth();
  stop();
  expect([currentSession(), changed.mock.calls.length]).toEqual([null, 1]);
});

test('another tab hears of a sign-in and a sign-out', async () => {
  const changed = jest.fn();
  const stop = followOtherTabs(changed);
  signIn();
  await checkAuth(SESSION, async () => undefined);
  expect(window.localStorage.getItem('session_until')).toBe(SESSION.expiresAt);
  clearLogin();
  refreshAuth();
  expect(window.localStorage.getItem('session_until')).toBeNull();
  window.dispatchEvent(new StorageEvent('storage', { key: 'session_until' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'cart_products' }));
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  stop();
  expect(changed.mock.calls).toEqual([[true], [false], [true]]);
});
