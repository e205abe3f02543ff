import { useState } from 'react';
import { lacksProviderToken, type Requirement, requiredSignIn } from '../../api/account';
import { refreshAuth } from '../../api/auth';
import { ApiProblem } from '../../api/client';
import { clearLogin } from '../../browser/storage/cookies';
import { apiErrorText } from '../../forms/apiErrorText';

/** The error of the last call. `signIn`: the provider requires a newer or stronger sign-in. */
export type Outcome = { text: string; errors: Record<string, string>; signIn: Requirement | null };

export type Submission = Outcome & {
  isBusy: boolean;
  /** The number of failed calls: each moves the focus. */
  attempts: number;
  /** Resolves to whether it succeeded; false at once while another call is under way. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
};

const NO_ERROR: Outcome = { text: '', errors: {}, signIn: null };

/** Runs calls that change the account, and stores the error of the last one. */
export function useSubmit(): Submission {
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState(NO_ERROR);
  const [attempts, setAttempts] = useState(0);

  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setOutcome(NO_ERROR);
    try {
      await work();
      return true;
    } catch (problem) {
      setOutcome(outcomeOf(problem));
      setAttempts((count) => count + 1);
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  return { ...outcome, isBusy, attempts, run };
}

/** A 401 also ends the sign-in of this browser, unless only the provider's token is missing. */
export function outcomeOf(problem: unknown): Outcome {
  const signIn = requiredSignIn(problem);
  if (signIn) return { ...NO_ERROR, signIn };
  const text = apiErrorText(problem);
  if (!(problem instanceof ApiProblem)) return { ...NO_ERROR, text };
  if (problem.status === 401 && !lacksProviderToken(problem)) {
    clearLogin();
    refreshAuth();
  }
  const hasFields = Object.keys(problem.errors).length > 0;
  return { ...NO_ERROR, text: hasFields ? '' : text, errors: problem.errors };
}
