import { useRef, useState } from 'react';
import { endSignIn } from '../../api/session/endSignIn';
import { lacksProviderToken } from '../../api/session/requiredSignIn';
import { type CallOutcome, NO_ERROR, outcomeOf } from './callOutcome';

export type Call = CallOutcome & {
  isBusy: boolean;
  /** The number of failed calls: each moves the focus. */
  attempts: number;
  /** Resolves to whether it succeeded; false at once while another call is under way. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Drops the error of the last call. */
  reset: () => void;
};

/**
 * Runs calls that change something, one at a time, and stores the error of the last one. `isSignIn`: a 401 does
 * not mean that the sign-in of this browser has ended.
 */
export function useCall({ isSignIn = false } = {}): Call {
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState(NO_ERROR);
  const [attempts, setAttempts] = useState(0);
  // Before React renders the busy state a second press must already be refused.
  const isRunning = useRef(false);

  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setIsBusy(true);
    setOutcome(NO_ERROR);
    try {
      await work();
      return true;
    } catch (problem) {
      const failure = outcomeOf(problem);
      if (!isSignIn) endSignInAfter(failure);
      setOutcome(failure);
      setAttempts((count) => count + 1);
      return false;
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }

  return { ...outcome, isBusy, attempts, run, reset: () => setOutcome(NO_ERROR) };
}

/** A 401 ends the sign-in of this browser, unless only the provider's token is missing. */
export function endSignInAfter({ problem }: CallOutcome): void {
  if (problem?.status === 401 && !lacksProviderToken(problem)) endSignIn();
}
