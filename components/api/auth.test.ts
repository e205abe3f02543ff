import { checkAuth, currentAuth, refreshAuth } from './auth';
import { ApiProblem } from './client';

function setRaw(cookie: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = `${cookie}; path=/`;
}

function signIn() {
  setRaw(
    `userInfo=${encodeURIComponent('{"accessToken":"t","user":{"AAUserID":7,"Email":"ada@example.test"}}')}`,
  );
}

beforeEach(() => {
  for (const name of ['userInfo', 'CouponID', 'IsRestrictedAccess']) setRaw(`${name}=; max-age=0`);
  refreshAuth(false);
});

test('the state is read from the cookies', () => {
  signIn();
  setRaw('CouponID=TAX');
  setRaw('IsRestrictedAccess=true');
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
  await checkAuth(request);
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
  await checkAuth(request);
  expect([currentAuth().isChecked, currentAuth().learner !== null]).toEqual([true, isSignedIn]);
});

test('a server that does not answer ends the wait after 5 s', async () => {
  jest.useFakeTimers();
  signIn();
  const done = checkAuth(() => new Promise(() => undefined));
  await jest.advanceTimersByTimeAsync(4999);
  expect(currentAuth().isChecked).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await done;
  expect(currentAuth()).toMatchObject({ isChecked: true, learner: { id: 7 } });
  jest.useRealTimers();
});
