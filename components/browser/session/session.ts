import type { SessionInfo } from '../../contracts/schema';
import { LOCAL_KEYS } from '../storage/storageKeys';
import { readText, writeText } from '../storage/storedList';
import { createStore } from '../store';

export type Session = SessionInfo;

const store = createStore<Session | null>(null);
const learnerId = createStore<number | null>(null);
let tokenOfSession: string | null = null;
let clockOffsetMs = 0;

/** The session as the host described it last; null while signed out or not known yet. */
export const currentSession = store.get;

/** Calls `changed` when the host has described the session, and when it is dropped. */
export const subscribe = store.subscribe;

/**
 * Calls `changed` after every change of sign-in: somebody signed in, signed out or is another learner, the session has
 * ended; in this tab or in another. The auth state is the new one then.
 */
export const onSignInChange = learnerId.subscribe;

/** Saves what the host says about the session of `token`. Other tabs notice. */
export function saveSession(session: Session, token: string): void {
  tokenOfSession = token;
  clockOffsetMs = Date.parse(session.now) - Date.now();
  writeText(LOCAL_KEYS.session, session.expiresAt);
  store.set(session);
}

/** The server's time: a wrong clock of this device does not count. */
export const serverNow = () => Date.now() + clockOffsetMs;

/**
 * Compares with the cookie's token and learner, null: signed out. Drops the session of another token, tells other tabs
 * when nobody is signed in, and announces a change of sign-in.
 */
export function checkSignIn(token: string | null, learner: number | null): void {
  // Also when this document never knew a session: the page before it may have signed out.
  if (token === null && readText(LOCAL_KEYS.session)) writeText(LOCAL_KEYS.session, null);
  if (token !== tokenOfSession) {
    tokenOfSession = null;
    store.set(null);
  }
  learnerId.set(learner);
}
