import { ApiProblem } from '../../api/client';

/** The text shown when a call failed. Errors other than ApiProblem are bugs and are thrown again. */
export function apiErrorText(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) throw problem;
  if (problem.status === 429) return `Too many tries. ${retryHint(problem.retryAfterS)}`;
  if (problem.status === 503 || problem.status === 502 || problem.status === 504)
    return `${withFullStop(problem.detail)} ${retryHint(problem.retryAfterS)} Nothing you typed is lost.`;
  return problem.detail;
}

function retryHint(seconds: number | null): string {
  if (seconds === null) return 'Please try again in a moment.';
  if (seconds <= 90) return `Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
  return `Please try again in ${Math.ceil(seconds / 60)} minutes.`;
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
