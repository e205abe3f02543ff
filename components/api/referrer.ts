import { studentNumber } from '../browser/cookies';
import { keepInviter, keptInviter } from '../browser/inviter';
import { ApiProblem, post } from './client';

/** First name and initial of the student whose link led here; "" without one. Asked for once in a session. */
export async function inviterName(): Promise<string> {
  const number = studentNumber();
  if (!number) return '';
  const kept = keptInviter(number);
  if (kept !== null) return kept;
  try {
    const { Username } = await post<{ Username: string }>('/getUsername', { Stunum: number });
    keepInviter(number, Username);
    return Username;
  } catch (problem) {
    // A greeting is no reason to trouble anyone: the next page asks again.
    if (problem instanceof ApiProblem) return '';
    throw problem;
  }
}
