import { useCallback, useEffect, useState } from 'react';
import { type CallOutcome, outcomeOf } from '../../forms/call/callOutcome';
import { endSignInAfter } from '../../forms/call/useCall';

export type FetchState<T> = {
  /** Null until it is loaded. */
  value: T | null;
  problem: CallOutcome | null;
  set: (value: T) => void;
  reload: () => void;
};

/** The data of a section, fetched on its first render. */
export function useFetched<T>(load: () => Promise<T>): FetchState<T> {
  const [value, set] = useState<T | null>(null);
  const [problem, setProblem] = useState<CallOutcome | null>(null);

  const reload = useCallback(() => {
    setProblem(null);
    load().then(set, (cause: unknown) => {
      const failure = outcomeOf(cause);
      endSignInAfter(failure);
      setProblem(failure);
    });
  }, [load]);

  useEffect(reload, [reload]);
  return { value, problem, set, reload };
}
