import { ApiProblem, post, put, remove } from '../client';
import { createMutationQueue } from '../mutations/mutationQueue';

const queue = createMutationQueue<never>();

/**
 * A change of the learner's profile, after those before it: the provider replaces whole sets, and a later change builds
 * on the one before it. Rejects as the call does, and when the sign-in changes before its answer.
 */
async function change<T>(call: () => Promise<T>): Promise<T> {
  // A 401 may be the provider's, and the sign-in here goes on: the caller distinguishes them.
  const [result] = (await queue.add({ send: () => Promise.allSettled([call()]) })) ?? [];
  if (!result) throw new ApiProblem({ status: 0, title: 'Your sign-in has changed. Load the page again.' });
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

export const postChange = <T>(path: string, body: unknown) => change(() => post<T>(path, body));
export const putChange = <T>(path: string, body: unknown) => change(() => put<T>(path, body));
export const removeChange = <T>(path: string, body: unknown) => change(() => remove<T>(path, body));
