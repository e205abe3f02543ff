import { useCallback, useEffect, useState } from 'react';
import { refreshAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { getWishes, lookAtWishes, type Wish } from '../api/wishlist';
import { keptWishes, setAccountWishes, useWishes } from './wishStore';

type ShownWishes = { wishes: Wish[] | null; problem: string | null; askAgain: () => void };

/** What is wished for, as the shop has it now: null until the first answer. Follows this browser's other tabs. */
export function useShownWishes(): ShownWishes {
  const { isKnown, ids } = useWishes();
  const [found, setFound] = useState<Wish[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const known = found ?? [];
  const isComplete = found !== null && [...ids].every((id) => known.some((wish) => wish.id === id));

  const ask = useCallback(async () => {
    setProblem(null);
    try {
      const learner = refreshAuth().learner;
      const kept = keptWishes();
      const wishes = learner ? await getWishes() : kept.length > 0 ? await lookAtWishes(kept) : [];
      if (learner) setAccountWishes(wishes.map(({ id }) => id));
      setFound(wishes);
    } catch (cause) {
      if (!(cause instanceof ApiProblem)) throw cause;
      setProblem(cause.detail);
    }
  }, []);

  useEffect(() => {
    if (isKnown && !isComplete) void ask();
  }, [isKnown, isComplete, ask]);

  const wishes = found?.filter((wish) => ids.has(wish.id)) ?? null;
  return { wishes, problem, askAgain: () => void ask() };
}
