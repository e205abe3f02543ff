import type { SessionInfo } from '../../contracts/schema';
import { LOCAL_KEYS } from '../storage/storageKeys';
import { writeText } from '../storage/storedList';
import { createStore } from '../store';

export type Session = SessionInfo;

const store = createStore<Session | null>(null);
let tokenOfSession: string | null = null;
let clockOffsetMs = 0;

/** The session as the host described it last; null while signed out or not known yet. */
export const currentSession = store.get;

/** Calls `changed` at every change of sign-in: after sign-in, sign-out, a 401, and another tab's sign-out. */
export const subscribe = store.subscribe;

/** Saves what the host says about the session of `token`. Other tabs notice. */
export function saveSession(session: Session, token: string): void {
  tokenOfSession = token;
  clockOffsetMs = Date.parse(session.now) - Date.now();
  writeText(LOCAL_KEYS.session, session.expiresAt);
  store.set(session);
}

/** The server's time: a wrong clock of this device does not count. */
export const serverNow = () => Date.now() + clockOffsetMs;

/** Drops the session unless it is that of `token`, the one in the cookie; null: signed out. */
export function checkToken(token: string | null): void {
  if (store.get() === null || token === tokenOfSession) return;
  if (token === null) writeText(LOCAL_KEYS.session, null);
  tokenOfSession = null;
  store.set(null);
}
