import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { currentAuth, refreshAuth } from './api/auth';
import { onSignInChange } from './browser/session/session';
import { LOCAL_KEYS } from './browser/storage/storageKeys';
import {
  mockServer,
  readStored,
  resetBrowser,
  serverCart,
  setCookie,
  signIn,
  writeStored,
} from './fixtures/cartServer';
import { SESSION } from './fixtures/session';
import { useAccountSync } from './useAccountSync';

const wrapper = ({ children }: { children: ReactNode }) => <MemoryRouter>{children}</MemoryRouter>;

const replaceData = async () => undefined;

/** What a browser tells this tab when another one has stored something. */
const announce = (key: string) =>
  act(async () => void window.dispatchEvent(new StorageEvent('storage', { key })));

beforeEach(() => {
  resetBrowser();
  setCookie('specialcouponcheck=1');
});

test('a tab that opened signed out notices that another tab signs in', async () => {
  const calls = mockServer({
    '/auth/session': SESSION,
    '/cart': serverCart(),
    '/wishlist': { items: [] },
  });
  renderHook(() => useAccountSync(undefined, 'a1', replaceData), { wrapper });
  const info = { accessToken: 't', user: { AAUserID: 7, Email: '' } };
  setCookie(`userInfo=${encodeURIComponent(JSON.stringify(info))}`);
  await announce(LOCAL_KEYS.session);
  await waitFor(() => expect(calls.map(([path]) => path)).toEqual(['/auth/session', '/cart', '/wishlist']));
  expect(currentAuth()).toMatchObject({ learner: { id: 7 }, isChecked: true });
});

test('a tab notices that another tab signs out, also before its own session is known', async () => {
  signIn(7);
  mockServer({ '/auth/session': 503, '/cart': 503 });
  renderHook(() => useAccountSync(undefined, 'a1', replaceData), { wrapper });
  setCookie('userInfo=; max-age=0');
  await announce(LOCAL_KEYS.session);
  expect(currentAuth().learner).toBeNull();
  await waitFor(() => expect(currentAuth().isChecked).toBe(true));
});

test('a document that opens signed out tells the other tabs, also when it never knew the session', () => {
  writeStored(LOCAL_KEYS.session, 'until');
  refreshAuth();
  expect(readStored(LOCAL_KEYS.session)).toBeNull();
});

test('one event tells every store of a sign-in, of another learner and of its end', () => {
  const heard: (number | undefined)[] = [];
  const stop = onSignInChange(() => heard.push(currentAuth().learner?.id));
  for (const learnerId of [7, 7, 8]) signIn(learnerId);
  setCookie('userInfo=; max-age=0');
  for (let check = 0; check < 2; check += 1) refreshAuth();
  stop();
  expect(heard).toEqual([7, 8, undefined]);
});
