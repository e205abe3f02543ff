import { useCallback, useEffect, useRef, useState } from 'react';
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

  const latestId = useRef(0);
  const reload = useCallback(() => {
    latestId.current += 1;
    const id = latestId.current;
    setProblem(null);
    load().then(
      (loaded) => id === latestId.current && set(loaded),
      (cause: unknown) => {
        const failure = outcomeOf(cause);
        endSignInAfter(failure);
        if (id === latestId.current) setProblem(failure);
      },
    );
  }, [load]);

  useEffect(reload, [reload]);
  return { value, problem, set, reload };
}
