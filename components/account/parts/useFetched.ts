import { useCallback, useEffect, useState } from 'react';
import { type Outcome, outcomeOf } from './useTask';

export type Loaded<T> = {
  /** Null until it is there. */
  value: T | null;
  problem: Outcome | null;
  set: (value: T) => void;
  reload: () => void;
};

/** What a section shows, asked for when it is first drawn. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [value, set] = useState<T | null>(null);
  const [problem, setProblem] = useState<Outcome | null>(null);

  const reload = useCallback(() => {
    setProblem(null);
    load().then(set, (cause: unknown) => setProblem(outcomeOf(cause)));
  }, [load]);

  useEffect(reload, [reload]);
  return { value, problem, set, reload };
}
