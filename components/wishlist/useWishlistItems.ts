import { useCallback, useEffect, useState } from 'react';
import { refreshAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { getWishlist, previewWishlist } from '../api/wishlist';
import type { WishlistItem } from '../model/wishlistItem';
import { setAccountWishlist, storedWishlist, useWishlist } from './wishlistStore';

type WishlistState = { items: WishlistItem[] | null; problem: string | null; retry: () => void };

/** The wishlist with current data: null until the first response. Follows other tabs of this browser. */
export function useWishlistItems(): WishlistState {
  const { isKnown, ids } = useWishlist();
  const [fetched, setFetched] = useState<WishlistItem[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const known = fetched ?? [];
  const isComplete = fetched !== null && [...ids].every((id) => known.some((item) => item.id === id));

  const load = useCallback(async () => {
    setProblem(null);
    try {
      const learner = refreshAuth().learner;
      const stored = storedWishlist();
      const items = learner ? await getWishlist() : stored.length > 0 ? await previewWishlist(stored) : [];
      if (learner) setAccountWishlist(items.map(({ id }) => id));
      setFetched(items);
    } catch (cause) {
      if (!(cause instanceof ApiProblem)) throw cause;
      setProblem(cause.detail);
    }
  }, []);

  useEffect(() => {
    if (isKnown && !isComplete) void load();
  }, [isKnown, isComplete, load]);

  const items = fetched?.filter((item) => ids.has(item.id)) ?? null;
  return { items, problem, retry: () => void load() };
}
