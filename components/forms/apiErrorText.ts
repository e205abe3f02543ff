import { ApiProblem } from '../api/client';

/** What a person reads when a call failed. Anything but a problem of the call is a fault of ours and is thrown on. */
export function problemText(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) throw problem;
  if (problem.status === 429) return `Too many tries. ${whenAgain(problem.retryAfterS)}`;
  if (problem.status === 503 || problem.status === 502 || problem.status === 504)
    return `${withStop(problem.detail)} ${whenAgain(problem.retryAfterS)} Nothing you typed is lost.`;
  return problem.detail;
}

function whenAgain(seconds: number | null): string {
  if (seconds === null) return 'Please try again in a moment.';
  if (seconds <= 90) return `Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
  return `Please try again in ${Math.ceil(seconds / 60)} minutes.`;
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
