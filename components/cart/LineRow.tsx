import type { ReactNode } from 'react';
import { useAuth } from '../api/auth';
import { type Format, ITEM_KINDS } from '../format/format';
import { lowestPrice } from '../format/lowestPrice';
import { type CartLine, hasQuantity, MAX_QUANTITY } from '../model/cartLine';
import { isolated } from '../model/isolated';
import { isServed } from '../model/servedPages';
import { Icon } from '../ui/Icon';
import { QuantityStepper } from '../ui/QuantityStepper';
import { useRestoredFocus } from '../ui/useRestoredFocus';
import { changeQuantity, removeLines } from './actions/cartActions';
import { changeLineCode, saveForLater } from './actions/cartChanges';
import { notifyRefusal } from './actions/notifyRefusal';
import { CouponCodeForm } from './CouponCodeForm';
import { PriceBreakdown } from './PriceBreakdown';
import type { CartItem } from './store/pricedCart';

export type LineAction = (item: CartItem) => ReactNode;

type LineRowProps = {
  item: CartItem;
  format: Format;
  /** In the side panel: only name, price and quantity. */
  isCompact?: boolean;
  /** A further button of another feature. */
  action?: LineAction;
};

/** One course or shop item of the cart, in the panel and on the page. */
export function LineRow({ item, format, isCompact = false, action }: LineRowProps) {
  const { line, detail, problem } = item;
  return (
    <li className={`line${isCompact ? ' line--compact' : ''}${problem ? ' line--unavailable' : ''}`}>
      <LinePicture item={item} />
      <div className="line__body">
        <LineName item={item} />
        {detail && <p className="hint">{metaOf(detail)}</p>}
        <LineNotes item={item} format={format} />
      </div>
      <LinePrice item={item} format={format} />
      <div className="line__actions row">
        {detail && hasQuantity(detail) && !problem && (
          <QuantityStepper
            name={line.name}
            quantity={line.quantity}
            max={Math.min(detail.stock ?? MAX_QUANTITY, MAX_QUANTITY)}
            onChange={(quantity) => void changeQuantity(line, quantity)}
          />
        )}
        {!isCompact && !problem && <SaveButton item={item} />}
        {!isCompact && !problem && action?.(item)}
        <button
          type="button"
          className="line__action hint"
          aria-label={`Remove ${line.name}`}
          onClick={() => void removeLines([line])}
        >
          <Icon name="trash" />
          Remove
        </button>
      </div>
      {!isCompact && !problem && (
        <div className="line__more row">
          <PriceBreakdown item={item} format={format} />
          <Code item={item} />
        </div>
      )}
    </li>
  );
}

function metaOf({ itemKind, category }: NonNullable<CartItem['detail']>): string {
  return [itemKind ? ITEM_KINDS[itemKind] : 'Course', category.name].join(' · ');
}

export function LinePicture({ item: { detail } }: { item: Pick<CartItem, 'detail'> }) {
  if (!detail) return <div className="line__picture skeleton" />;
  const { src, width, height } = detail.picture;
  return (
    <img
      className="line__picture"
      src={src}
      width={width}
      height={height}
      alt=""
      loading="lazy"
      decoding="async"
    />
  );
}

export function LineName({ item: { line, detail } }: { item: Pick<CartItem, 'line' | 'detail'> }) {
  return <h3 className="line__name">{detail ? <a href={detail.href}>{line.name}</a> : line.name}</h3>;
}

function LinePrice({ item, format }: { item: CartItem; format: Format }) {
  const { line, total, unit, detail } = item;
  if (total === null) return <p className="line__price" />;
  const regularTotal = line.price * line.quantity;
  return (
    <p className="line__price">
      <strong className="line__total">{format.price(total)}</strong>
      {regularTotal > total && (
        <s className="price__was">
          <span className="sr-only">Regular price </span>
          {format.money(regularTotal)}
        </s>
      )}
      {regularTotal > total && detail && detail.lowestBefore !== null && (
        <span className="price__lowest">{lowestPrice(detail.lowestBefore, format)}</span>
      )}
      {line.quantity > 1 && <span className="hint">{`${format.price(unit)} each`}</span>}
    </p>
  );
}

function LineNotes({ item, format }: { item: CartItem; format: Format }) {
  const { problem, detail, rejectedOffers, refusals, steps, total } = item;
  const stock = detail?.stock ?? null;
  const winner = steps.findLast(({ step }) => step !== 'tax')?.name;
  return (
    <>
      {detail?.isGift && <p className="line__note line__note--quiet">A gift for somebody else.</p>}
      {detail?.promise && <p className="line__note line__note--quiet">{detail.promise}</p>}
      {problem === 'refused' && <p className="line__note">Could not be added to your account. Remove it.</p>}
      {problem === 'unavailable' && <p className="line__note">No longer sold, and not counted below.</p>}
      {stock !== null && stock < item.line.quantity && (
        <p className="line__note">{`Only ${format.count(stock)} left in stock.`}</p>
      )}
      {rejectedOffers.map((offer) => (
        <p className="line__note line__note--quiet" key={offer.step + offer.name}>
          {offer.reason === 'equal'
            ? `${isolated(offer.name)} is not used here: ${isolated(winner || 'the price in the shop')} already gives this price.`
            : `${isolated(winner || 'The price in the shop')} is lower: ${format.price(total ?? 0)} instead of ${format.price(offer.total)} with ${isolated(offer.name)}.`}
        </p>
      ))}
      {refusals.map((refusal) => (
        <p className="line__note" key={refusal.step + refusal.name}>
          {refusal.message}
        </p>
      ))}
    </>
  );
}

function SaveButton({ item: { line } }: { item: CartItem }) {
  return (
    <button
      type="button"
      className="line__action hint"
      aria-label={`Save for later: ${line.name}`}
      onClick={() => void saveForLater(line)}
    >
      <Icon name="bookmark" />
      Save for later
    </button>
  );
}

function Code({ item }: { item: CartItem }) {
  const { learner } = useAuth();
  return <LineCode line={item.line} code={item.detail?.code ?? null} isSignedIn={learner !== null} />;
}

type LineCodeProps = { line: CartLine; code: string | null; isSignedIn: boolean };

/** A code for this line alone. Guests see that they need to sign in. */
function LineCode({ line, code, isSignedIn }: LineCodeProps) {
  // The button that removed the code is gone with it.
  const question = useRestoredFocus<HTMLElement>(code ? 1 : 0);
  if (code)
    return (
      <p className="code-chip">
        <span>
          Code <strong>{code}</strong>
        </span>
        <button
          type="button"
          className="code-chip__remove"
          aria-label={`Remove code ${code}: ${line.name}`}
          onClick={() => void notifyRefusal(changeLineCode(line, ''))}
        >
          Remove
        </button>
      </p>
    );
  return (
    <details className="line-code">
      <summary className="line-code__question" ref={question}>
        Use a code<span className="sr-only">{` for ${line.name}`}</span>
      </summary>
      {isSignedIn ? (
        <CouponCodeForm label={`Code for ${line.name}`} onSubmit={(typed) => changeLineCode(line, typed)} />
      ) : (
        <p className="line-code__invitation">
          {isServed('login') ? <a href="/login">Sign in</a> : 'Sign in'} to use a code on a single line. A
          coupon for the whole cart works without an account.
        </p>
      )}
    </details>
  );
}
