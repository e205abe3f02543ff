import { useSyncExternalStore } from 'react';
import { checkSignIn, currentSession, type Session, subscribe } from '../browser/session/session';
import { type AuthState, authCookies } from '../browser/storage/cookies';
import { createStore } from '../browser/store';

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
  const auth = { ...authCookies(), isChecked };
  store.set(auth);
  checkSignIn(auth.accessToken, auth.learner?.id ?? null);
  return store.get();
}
