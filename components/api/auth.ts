import { useSyncExternalStore } from 'react';
import { checkToken, currentSession, type Session, saveSession, subscribe } from '../browser/session/session';
import { type AuthState, authCookies, clearLogin } from '../browser/storage/cookies';
import { createStore } from '../browser/store';
import { ApiProblem } from './client';

export type Auth = AuthState & {
  /** The authentication check is done: it succeeded, failed or took too long (specification §4). */
  isChecked: boolean;
};

const UNCHECKED: Auth = {
  accessToken: null,
  learner: null,
  couponId: '',
  isRestricted: false,
  isChecked: false,
};

const store = createStore<Auth>(UNCHECKED);

/** The auth state. The server and the first render in the browser use the unchecked state. */
export function useAuth(): Auth {
  return useSyncExternalStore(store.subscribe, store.get, () => UNCHECKED);
}

export const currentAuth = store.get;

/** The session as the host described it last; null on the server, before the check and while signed out. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession, () => null);
}

/** Reads the cookies again: at load, and after sign-in and sign-out. */
export function refreshAuth(isChecked = store.get().isChecked): Auth {
  store.set({ ...authCookies(), isChecked });
  checkToken(store.get().accessToken);
  return store.get();
}

// Specification §4: pages wait for the check; a server that does not answer ends the wait, not the visit.
const WAIT_MS = 5000;

/**
 * The authentication check. `known`: the session that came with a private page (null: there is none), so that nothing
 * waits. Otherwise `request` asks the host, and rejects with 401 when the session has ended; then the cookie is
 * removed. Does nothing when signed out.
 */
export async function checkAuth(
  known: Session | null | undefined,
  request: (isSessionKnown: boolean) => Promise<unknown>,
): Promise<void> {
  const token = refreshAuth().accessToken;
  if (token !== null && known === null) clearLogin();
  if (token === null || known === null) return void refreshAuth(true);
  if (known) {
    saveSession(known, token);
    refreshAuth(true);
  }
  await waitFor(request(known !== undefined));
  refreshAuth(true);
}

async function waitFor(response: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
  });
  try {
    await Promise.race([response, timeout]);
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 401) clearLogin();
  } finally {
    clearTimeout(timer);
  }
}
