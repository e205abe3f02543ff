import { studentNumber } from '../browser/storage/cookies';
import { saveReferrer, storedReferrer } from '../browser/storage/referrer';
import type { Username as UsernameAnswer } from '../contracts/schema';
import { ApiProblem, post } from './client';

/** First name and initial of the student whose link led here; "" without one. Fetched once per session. */
export async function referrerName(): Promise<string> {
  const number = studentNumber();
  if (!number) return '';
  const stored = storedReferrer(number);
  if (stored !== null) return stored;
  try {
    const { Username } = await post<UsernameAnswer>('/getUsername', { Stunum: number });
    saveReferrer(number, Username);
    return Username;
  } catch (problem) {
    // Not worth an error message: the next page tries again.
    if (problem instanceof ApiProblem) return '';
    throw problem;
  }
}
