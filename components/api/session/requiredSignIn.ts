import { noAccessToken } from '../../../contracts/sign_in_errors.json';
import { ApiProblem } from '../client';

/** What the provider requires of a sign-in: at most `maxAge` seconds old, as strong as `acrValues` says. */
export type Requirement = { maxAge?: number; acrValues?: string };

/** What the provider requires of a newer or stronger sign-in before this call; else null. */
export function requiredSignIn(problem: unknown): Requirement | null {
  if (!(problem instanceof ApiProblem) || problem.status !== 403) return null;
  if (problem.detail !== 'insufficient_authentication_context') return null;
  const { maxAge, acrValues } = problem.members;
  const strength = typeof acrValues === 'string' && acrValues ? { acrValues } : null;
  if (typeof maxAge === 'number' && maxAge >= 0) return { maxAge, ...strength };
  return strength ?? { maxAge: 0 };
}

/** Whether the session has no token of the provider: this site's own sign-in goes on. */
export const lacksProviderToken = (problem: ApiProblem) =>
  problem.status === 401 && problem.detail === noAccessToken;
