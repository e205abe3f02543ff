import { clearLogin } from '../../browser/session/clearLogin';
import { type Session, saveSession } from '../../browser/session/session';
import { refreshAuth } from '../auth';
import { ApiProblem } from '../client';

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
