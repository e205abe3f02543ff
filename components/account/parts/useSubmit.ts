import { useState } from 'react';
import { staleSignIn } from '../api/account';
import { refreshAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { clearLogin } from '../browser/cookies';
import { problemText } from '../ui/problemText';

/** What became of the last try. `maxAge`: the provider wants a sign-in no older than these seconds. */
export type Outcome = { text: string; errors: Record<string, string>; maxAge: number | null };

export type Task = Outcome & {
  isBusy: boolean;
  /** How often it came to nothing: for the focus. */
  tries: number;
  /** True when it was done. One at a time. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
};

const FINE: Outcome = { text: '', errors: {}, maxAge: null };

/** Runs what changes the account and keeps what the host said against it. */
export function useTask(): Task {
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState(FINE);
  const [tries, setTries] = useState(0);

  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setOutcome(FINE);
    try {
      await work();
      return true;
    } catch (problem) {
      setOutcome(outcomeOf(problem));
      setTries((count) => count + 1);
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  return { ...outcome, isBusy, tries, run };
}

/** A sign-in that is no more ends here, too. */
export function outcomeOf(problem: unknown): Outcome {
  const maxAge = staleSignIn(problem);
  if (maxAge !== null) return { ...FINE, maxAge };
  const text = problemText(problem);
  if (!(problem instanceof ApiProblem)) return { ...FINE, text };
  if (problem.status === 401) {
    clearLogin();
    refreshAuth();
  }
  const hasFields = Object.keys(problem.errors).length > 0;
  return { ...FINE, text: hasFields ? '' : text, errors: problem.errors };
}
