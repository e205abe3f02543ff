import { useSyncExternalStore } from 'react';
import { type AuthState, authCookies, clearLogin } from '../browser/cookies';
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

/** The auth state; what the server draws, and the first drawing here, is that of somebody not yet checked. */
export function useAuth(): Auth {
  return useSyncExternalStore(store.subscribe, store.get, () => UNCHECKED);
}

export const currentAuth = store.get;

/** Reads the cookies again: at load, and after sign-in and sign-out. */
export function refreshAuth(isChecked = store.get().isChecked): Auth {
  store.set({ ...authCookies(), isChecked });
  return store.get();
}

// Specification §4: pages wait for the check; a server that does not answer ends the wait, not the visit.
const PATIENCE_MS = 5000;

/** Signed out there is nothing to ask. `ask` rejects with 401 when the session is no more: the cookie goes with it. */
export async function checkAuth(ask: () => Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  try {
    if (refreshAuth().accessToken) await Promise.race([ask(), late]);
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 401) clearLogin();
  } finally {
    clearTimeout(timer);
    refreshAuth(true);
  }
}
