import { useCallback, useEffect, useState } from 'react';
import { refreshAuth, useAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { previewWishlist } from '../api/wishlist';
import type { WishlistItem } from '../model/wishlistItem';
import { fetchWishlist } from './accountWishlist';
import { storedWishlist } from './storedWishlist';
import { useWishlist } from './wishlistStore';

type WishlistState = { items: WishlistItem[] | null; problem: string | null; retry: () => void };

/** Items with whose they are: a learner's id, null for a guest's. */
type Fetched = { owner: number | null; items: WishlistItem[] };

/** The wishlist with current data: null until the first response. Follows other tabs of this browser. */
export function useWishlistItems(): WishlistState {
  const { isKnown, ids } = useWishlist();
  const owner = useAuth().learner?.id ?? null;
  const [fetched, setFetched] = useState<Fetched | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // What one person has wished for is not shown to the next.
  const known = fetched?.owner === owner ? fetched.items : null;
  const isComplete = known !== null && [...ids].every((id) => known.some((item) => item.id === id));

  const load = useCallback(async () => {
    setProblem(null);
    try {
      const learner = refreshAuth().learner;
      const stored = storedWishlist();
      const guestItems = () => (stored.length > 0 ? previewWishlist(stored) : []);
      const items = await (learner ? fetchWishlist() : guestItems());
      if (items) setFetched({ owner: learner?.id ?? null, items });
    } catch (cause) {
      if (!(cause instanceof ApiProblem)) throw cause;
      setProblem(cause.detail);
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another owner's items are loaded
  useEffect(() => {
    if (isKnown && !isComplete) void load();
  }, [isKnown, isComplete, load, owner]);

  const items = known?.filter((item) => ids.has(item.id)) ?? null;
  return { items, problem, retry: () => void load() };
}
