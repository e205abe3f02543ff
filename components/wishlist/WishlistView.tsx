import cartStyles from '../../static/css/cart.css?text';
import { useSite } from '../api/site';
import type { Wish } from '../api/wishlist';
import { type Format, formatOf, plural, saving } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { useKeptFocus } from '../ui/useKeptFocus';
import { useStyles } from '../ui/useStyles';
import { EmptyList } from './EmptyList';
import { useShownWishes } from './useShownWishes';
import { changeWish, moveToCart } from './wishActions';

/** The whole of /wishlist. */
export function WishlistView() {
  useStyles(cartStyles);
  const format = formatOf(useSite());
  const { wishes, problem, askAgain } = useShownWishes();
  const count = wishes?.length ?? 0;
  const heading = useKeptFocus<HTMLHeadingElement>(count);
  return (
    <div className="cart-page">
      <div className="cart-page__head">
        <div>
          <h1 className="cart-page__title" ref={heading} tabIndex={-1}>
            Your wishlist
          </h1>
          {count > 0 && (
            <p className="cart-page__count">{`${format.count(count)} ${plural(count, 'item', 'items')}`}</p>
          )}
        </div>
      </div>
      {problem !== null && (
        <div role="status">
          <Notice kind="warning" title="Your wishlist could not be loaded">
            <p>{problem}</p>
            <button type="button" className="button button--quiet" onClick={askAgain}>
              Try again
            </button>
          </Notice>
        </div>
      )}
      {wishes === null ? problem === null && <WishesSkeleton /> : <Wishes wishes={wishes} format={format} />}
    </div>
  );
}

export function Wishes({ wishes, format }: { wishes: Wish[]; format: Format }) {
  if (wishes.length === 0)
    return (
      <EmptyList
        title="Nothing on your wishlist yet"
        text="Keep what you like here. When its price drops, this is where you see it."
      />
    );
  return (
    <ul className="wishes">
      {wishes.map((wish) => (
        <WishCard key={wish.id} wish={wish} format={format} />
      ))}
    </ul>
  );
}

function WishCard({ wish, format }: { wish: Wish; format: Format }) {
  const { picture, price, listPrice, seenPrice } = wish;
  const drop = seenPrice !== null && price < seenPrice ? seenPrice - price : 0;
  const off = saving(listPrice, price);
  const product = { id: wish.id, name: wish.name, listPrice, price, isItem: wish.kind === 'item' };
  return (
    <li className="wish">
      <img className="wish__picture" src={picture.src} width={picture.width} height={picture.height} alt="" />
      <div className="wish__body">
        <p className="card__category">{wish.category.name}</p>
        <h2 className="wish__name">
          <a href={wish.href}>{wish.name}</a>
        </h2>
        <p className="wish__price">
          <strong className="line__total">{format.price(price)}</strong>
          {off > 0 && (
            <s className="price__was">
              <span className="sr-only">Regular price </span>
              {format.money(listPrice)}
            </s>
          )}
        </p>
        {drop > 0 && (
          <p className="change change--down">{`${format.money(drop)} less than when you wished for it`}</p>
        )}
        {!wish.isSold && <p className="line__note">No longer in the shop.</p>}
        {wish.isOwned && <p className="line__note">You own this already.</p>}
      </div>
      <div className="wish__actions">
        {wish.isSold && !wish.isOwned && (
          <button
            type="button"
            className="button"
            aria-label={`Move to cart: ${wish.name}`}
            onClick={() => void moveToCart(wish)}
          >
            Move to cart
          </button>
        )}
        <button
          type="button"
          className="line__action"
          aria-label={`Remove ${wish.name}`}
          onClick={() => void changeWish(product, false)}
        >
          <Icon name="trash" />
          Remove
        </button>
      </div>
    </li>
  );
}

const PLACES = [1, 2, 3];

export function WishesSkeleton() {
  return (
    <div className="wishes" aria-busy="true">
      <p className="sr-only">Loading your wishlist</p>
      {PLACES.map((place) => (
        <div key={place} className="skeleton wish__skeleton" />
      ))}
    </div>
  );
}
