import type { ApiProblem } from '../api/client';
import { apiErrorText } from '../forms/call/apiErrorText';

/** What to do after the order could not be placed. The key of the form makes another press harmless. */
export function placeProblemText(problem: ApiProblem): string {
  if (problem.status === 0)
    return `${problem.detail} Press the button again: the same order is never placed or charged twice.`;
  if (problem.status === 401)
    return 'Your sign-in has ended. You are led to it now, and come straight back here.';
  return apiErrorText(problem);
}

/** Why a change is not stored yet. It stays in its field. */
export function storeProblemText(problem: ApiProblem): string {
  if (problem.status === 0) return `${problem.detail} What you typed stays here and is sent again.`;
  return apiErrorText(problem);
}
