import { saveSession } from '../../browser/session/session';
import { accessToken } from '../../browser/storage/cookies';
import type { SessionInfo } from '../../contracts/schema';
import { get } from '../client';

/** Asks the host for the session. Rejects with ApiProblem, 401 when it has ended. */
export async function loadSession(): Promise<void> {
  const token = accessToken();
  const session = await get<SessionInfo>('/auth/session');
  // Meanwhile another tab may have signed out, or in as someone else.
  if (token !== null && token === accessToken()) saveSession(session, token);
}
