import { clearLogin } from '../../browser/session/clearLogin';
import { refreshAuth } from '../auth';
import { ApiProblem } from '../client';

/** Ends the sign-in of this browser. */
export function endSignIn(): void {
  clearLogin();
  refreshAuth();
}

/** A 401 says that the session has ended on the server. */
export function endSignInAfter(problem: unknown): void {
  if (problem instanceof ApiProblem && problem.status === 401) endSignIn();
}
