import { useCallback, useEffect, useState } from 'react';
import { type Outcome, outcomeOf } from './useSubmit';

export type FetchState<T> = {
  /** Null until it is loaded. */
  value: T | null;
  problem: Outcome | null;
  set: (value: T) => void;
  reload: () => void;
};

/** The data of a section, fetched on its first render. */
export function useFetched<T>(load: () => Promise<T>): FetchState<T> {
  const [value, set] = useState<T | null>(null);
  const [problem, setProblem] = useState<Outcome | null>(null);

  const reload = useCallback(() => {
    setProblem(null);
    load().then(set, (cause: unknown) => setProblem(outcomeOf(cause)));
  }, [load]);

  useEffect(reload, [reload]);
  return { value, problem, set, reload };
}
