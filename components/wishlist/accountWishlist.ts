import type { Outcome } from '../api/cart';
import { createMutationQueue } from '../api/mutations/mutationQueue';
import { getWishlist, mergeWishlist, moveWishlistItem, putWishlistItem } from '../api/wishlist';
import { onSignInChange } from '../browser/session/session';
import type { WishlistItem } from '../model/wishlistItem';
import { setStoredWishlist, storedWishlist } from './storedWishlist';
import { loadWishlist, projectWishlist } from './wishlistStore';

type Ids = ReadonlySet<number>;

/** What the account has, as the server said last. It is never stored in the browser: another person may use it next. */
let confirmed: Ids | null = null;
const queue = createMutationQueue<Ids>(loadWishlist);
projectWishlist((stored) => (confirmed ? queue.project(confirmed) : stored));
onSignInChange(() => {
  confirmed = null;
  loadWishlist();
});

function confirm(ids: Iterable<number>): void {
  confirmed = new Set(ids);
  loadWishlist();
}

const withId = (ids: Ids, id: number) => new Set(ids).add(id);
const withoutId = (ids: Ids, id: number) => new Set([...ids].filter((other) => other !== id));

/** Adds to the account's wishlist or removes from it: shown at once, and sent after the changes before it. */
export function putWished(id: number, wished: boolean): Promise<Outcome | null> {
  const apply = (ids: Ids) => (wished ? withId(ids, id) : withoutId(ids, id));
  return queue.add({
    subject: id,
    kind: 'wished',
    apply,
    send: () => putWishlistItem(id, wished),
    confirm: ({ isDone }) => isDone && confirm(apply(confirmed ?? new Set())),
  });
}

/** Moves an item of the account's wishlist to its cart. */
export function moveItem(id: number): Promise<Outcome | null> {
  return queue.add({
    subject: id,
    kind: 'move',
    send: () => moveWishlistItem(id),
    confirm: ({ isDone }) => isDone && confirm(withoutId(confirmed ?? new Set(), id)),
  });
}

/** The account's items, after the changes under way. Null: the sign-in changed, or a later request has the answer. */
export function fetchWishlist(): Promise<WishlistItem[] | null> {
  return queue.add({
    subject: 'all',
    kind: 'fetch',
    send: getWishlist,
    confirm: (items) => confirm(items.map(({ id }) => id)),
  });
}

/** Merges a guest's wishlist into the account's; then the browser's copy is removed. */
export async function syncWishlist(): Promise<void> {
  const stored = storedWishlist();
  if (stored.length === 0) return void (await fetchWishlist());
  const sent = new Set(stored.map(({ id }) => id));
  await queue.add({
    subject: 'all',
    kind: 'merge',
    send: () => mergeWishlist(stored),
    confirm: (items) => {
      confirm(items.map(({ id }) => id));
      setStoredWishlist((now) => now.filter(({ id }) => !sent.has(id)));
    },
  });
}
