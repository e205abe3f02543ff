import { useCallback, useEffect, useState } from 'react';
import cartStyles from '../../static/css/cart.css?text';
import { refreshAuth, useAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import { useSite } from '../api/site';
import { previewWishlist } from '../api/wishlist';
import { CartHead } from '../cart/CartHead';
import { type Format, formatOf, saving } from '../format/format';
import { lowestPrice } from '../format/lowestPrice';
import type { WishlistItem } from '../model/wishlistItem';
import { EmptyState } from '../ui/EmptyState';
import { Icon } from '../ui/Icon';
import { Placeholder, Skeleton } from '../ui/loading/Skeleton';
import { Notice } from '../ui/Notice';
import { useStyles } from '../ui/useStyles';
import { fetchWishlist } from './accountWishlist';
import { storedWishlist } from './storedWishlist';
import { changeWishlist, moveToCart } from './wishlistActions';
import { useWishlist } from './wishlistStore';

/** The whole of /wishlist. */
export function WishlistView() {
  useStyles(cartStyles);
  const format = formatOf(useSite());
  const { items, problem, retry } = useWishlistItems();
  const count = items?.length ?? 0;
  return (
    <div className="cart-page stack">
      <CartHead title="Your wishlist" count={count} entries={count} format={format} />
      {problem !== null && (
        <div role="status">
          <Notice kind="warning" title="Your wishlist could not be loaded">
            <p>{problem}</p>
            <button type="button" className="button button--quiet" onClick={retry}>
              Try again
            </button>
          </Notice>
        </div>
      )}
      {items === null ? (
        problem === null && <WishlistSkeleton />
      ) : (
        <WishlistItems items={items} format={format} />
      )}
    </div>
  );
}

export function WishlistItems({ items, format }: { items: WishlistItem[]; format: Format }) {
  if (items.length === 0)
    return (
      <EmptyState
        title="Nothing on your wishlist yet"
        text="Keep what you like here. When its price drops, this is where you see it."
        links={[{ href: '/shop', text: 'Browse the catalogue' }]}
      />
    );
  return (
    <ul className="wishlist-items stack">
      {items.map((item) => (
        <WishlistCard key={item.id} item={item} format={format} />
      ))}
    </ul>
  );
}

function WishlistCard({ item, format }: { item: WishlistItem; format: Format }) {
  const { picture, price, listPrice, lowestBefore, seenPrice } = item;
  const drop = seenPrice !== null && price < seenPrice ? seenPrice - price : 0;
  const off = saving(listPrice, price);
  return (
    <li className="wishlist-item panel">
      <img className="picture" src={picture.src} width={picture.width} height={picture.height} alt="" />
      <div className="wishlist-item__body">
        <p className="card__category">{item.category.name}</p>
        <h2 className="wishlist-item__name heading-s">
          <a href={item.href}>{item.name}</a>
        </h2>
        <p className="wishlist-item__price row">
          <strong className="line__total">{format.price(price)}</strong>
          {off > 0 && (
            <s className="price__was">
              <span className="sr-only">Regular price </span>
              {format.money(listPrice)}
            </s>
          )}
        </p>
        {off > 0 && lowestBefore !== null && (
          <p className="price__lowest">{lowestPrice(lowestBefore, format)}</p>
        )}
        {drop > 0 && (
          <p className="change change--down">{`${format.money(drop)} less than when you added it`}</p>
        )}
        {!item.isAvailable && <p className="line__note">No longer in the shop.</p>}
        {item.isOwned && <p className="line__note">You have this already.</p>}
      </div>
      <div className="wishlist-item__actions row">
        {item.isOwned && (
          <a
            className="button"
            href={item.href.replace('course-details', 'user-dashboard')}
            aria-label={`Go to course: ${item.name}`}
          >
            Go to course
          </a>
        )}
        {item.isAvailable && !item.isOwned && (
          <button
            type="button"
            className="button"
            aria-label={`Move to cart: ${item.name}`}
            onClick={() => void moveToCart(item)}
          >
            Move to cart
          </button>
        )}
        <button
          type="button"
          className="line__action hint"
          aria-label={`Remove ${item.name}`}
          onClick={() => void changeWishlist(item, false)}
        >
          <Icon name="trash" />
          Remove
        </button>
      </div>
    </li>
  );
}

export function WishlistSkeleton() {
  return (
    <Skeleton label="Loading your wishlist" className="wishlist-items stack">
      <Placeholder shape="card" count={3} />
    </Skeleton>
  );
}

type WishlistState = { items: WishlistItem[] | null; problem: string | null; retry: () => void };

/** Items with whose they are: a learner's id, null for a guest's. */
type Fetched = { owner: number | null; items: WishlistItem[] };

/** The wishlist with current data: null until the first response. Follows other tabs of this browser. */
function useWishlistItems(): WishlistState {
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
