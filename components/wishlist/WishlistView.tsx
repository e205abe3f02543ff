import cartStyles from '../../static/css/cart.css?text';
import { useSite } from '../api/site';
import { CartHead } from '../cart/CartHead';
import { type Format, formatOf, saving } from '../format/format';
import { lowestPrice } from '../format/lowestPrice';
import type { WishlistItem } from '../model/wishlistItem';
import { EmptyState } from '../ui/EmptyState';
import { Icon } from '../ui/Icon';
import { Placeholder, Skeleton } from '../ui/loading/Skeleton';
import { Notice } from '../ui/Notice';
import { useStyles } from '../ui/useStyles';
import { useWishlistItems } from './useWishlistItems';
import { changeWishlist, moveToCart } from './wishlistActions';

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
