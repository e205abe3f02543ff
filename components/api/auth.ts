import { useSyncExternalStore } from 'react';
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

/** Reads the cookies again: at load, and after sign-in and sign-out. */
export function refreshAuth(isChecked = store.get().isChecked): Auth {
  store.set({ ...authCookies(), isChecked });
  return store.get();
}

// Specification §4: pages wait for the check; a server that does not answer ends the wait, not the visit.
const WAIT_MS = 5000;

/**
 * Does not call `request` when signed out. `request` rejects with 401 when the session has ended; then the cookie is
 * removed.
 */
export async function checkAuth(request: () => Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
  });
  try {
    if (refreshAuth().accessToken) await Promise.race([request(), timeout]);
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 401) clearLogin();
  } finally {
    clearTimeout(timer);
    refreshAuth(true);
  }
}
