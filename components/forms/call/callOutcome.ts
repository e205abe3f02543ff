import { ApiProblem } from '../../api/client';
import { type Requirement, requiredSignIn } from '../../api/session/requiredSignIn';
import type { Conflict } from '../../contracts/schema';
import { apiErrorText } from './apiErrorText';

/** An error by the name of its field: its dotted path in the body of the call. `form`: of the form as a whole. */
export type FieldErrors = Record<string, string>;

/** The error of the last call. */
export type CallOutcome = {
  problem: ApiProblem | null;
  /** The error of the call as a whole; "" when all errors are at fields. */
  text: string;
  errors: FieldErrors;
  /** The call requires a newer or stronger sign-in. */
  signIn: Requirement | null;
  /** Somebody else has saved a newer version. */
  conflict: Conflict | null;
};

export const NO_ERROR: CallOutcome = { problem: null, text: '', errors: {}, signIn: null, conflict: null };

/** Errors other than ApiProblem are bugs and are thrown again. */
export function outcomeOf(problem: unknown): CallOutcome {
  const text = apiErrorText(problem);
  if (!(problem instanceof ApiProblem)) return { ...NO_ERROR, text };
  const signIn = requiredSignIn(problem);
  const conflict = conflictOf(problem);
  const isExplained = signIn !== null || conflict !== null || Object.keys(problem.errors).length > 0;
  return { problem, text: isExplained ? '' : text, errors: problem.errors, signIn, conflict };
}

function conflictOf({ status, members }: ApiProblem): Conflict | null {
  return status === 409 && members.conflict ? (members.conflict as Conflict) : null;
}
