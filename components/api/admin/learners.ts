import { post } from '../client';

/** All stored data of a learner. May reject with ApiProblem. */
export const exportLearner = (call: string) => post<unknown>(call, {});
