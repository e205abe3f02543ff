import { useAuth } from '../api/auth';
import { MOST_OF_ONE } from '../api/cartLines';
import { type Format, ITEM_KINDS } from '../ui/format';
import { Icon } from '../ui/Icon';
import { QuantityStepper } from '../ui/QuantityStepper';
import { changeQuantity, removeLines } from './cartActions';
import { saveForLater } from './cartChanges';
import { LineCode } from './LineCode';
import { PriceTrail } from './PriceTrail';
import type { ShownLine } from './shownCart';
import { changeWish } from './wishActions';

type LineRowProps = {
  shown: ShownLine;
  format: Format;
  /** In the side panel: what it is, what it costs, how many. */
  isCompact?: boolean;
};

/** One course or shop item of the cart, in the panel and on the page. */
export function LineRow({ shown, format, isCompact = false }: LineRowProps) {
  const { line, detail, problem } = shown;
  return (
    <li className={`line${isCompact ? ' line--compact' : ''}${problem ? ' line--away' : ''}`}>
      <LinePicture shown={shown} />
      <div className="line__body">
        <LineName shown={shown} />
        {detail && <p className="line__meta">{metaOf(detail)}</p>}
        <LineNotes shown={shown} format={format} />
      </div>
      <LinePrice shown={shown} format={format} />
      <div className="line__actions">
        {detail?.kind === 'item' && !problem && (
          <QuantityStepper
            name={line.name}
            quantity={line.quantity}
            most={Math.min(detail.stock ?? MOST_OF_ONE, MOST_OF_ONE)}
            onChange={(quantity) => void changeQuantity(line, quantity)}
          />
        )}
        {!isCompact && !problem && <Aside shown={shown} />}
        <button
          type="button"
          className="line__action"
          aria-label={`Remove ${line.name}`}
          onClick={() => void removeLines([line])}
        >
          <Icon name="trash" />
          Remove
        </button>
      </div>
      {!isCompact && !problem && (
        <div className="line__more">
          <PriceTrail shown={shown} format={format} />
          <Code shown={shown} />
        </div>
      )}
    </li>
  );
}

function metaOf({ itemKind, category }: NonNullable<ShownLine['detail']>): string {
  return [itemKind ? ITEM_KINDS[itemKind] : 'Course', category.name].join(' · ');
}

export function LinePicture({ shown: { detail } }: { shown: Pick<ShownLine, 'detail'> }) {
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

export function LineName({ shown: { line, detail } }: { shown: Pick<ShownLine, 'line' | 'detail'> }) {
  return <h3 className="line__name">{detail ? <a href={detail.href}>{line.name}</a> : line.name}</h3>;
}

function LinePrice({ shown, format }: { shown: ShownLine; format: Format }) {
  const { line, total, unit } = shown;
  if (total === null) return <p className="line__price" />;
  const before = line.price * line.quantity;
  return (
    <p className="line__price">
      <strong className="line__total">{format.price(total)}</strong>
      {before > total && (
        <s className="price__was">
          <span className="sr-only">Regular price </span>
          {format.money(before)}
        </s>
      )}
      {line.quantity > 1 && <span className="line__each">{`${format.price(unit)} each`}</span>}
    </p>
  );
}

function LineNotes({ shown, format }: { shown: ShownLine; format: Format }) {
  const { problem, detail, losers, refusals, steps, total } = shown;
  const stock = detail?.stock ?? null;
  const winner = steps.findLast(({ step }) => step !== 'tax')?.name;
  return (
    <>
      {problem === 'refused' && <p className="line__note">Could not join your account. Remove it.</p>}
      {problem === 'missing' && <p className="line__note">No longer sold, and not counted below.</p>}
      {stock !== null && stock < shown.line.quantity && (
        <p className="line__note">{`Only ${format.count(stock)} left in stock.`}</p>
      )}
      {losers.map((loser) => (
        <p className="line__note line__note--quiet" key={loser.step + loser.name}>
          {loser.reason === 'same'
            ? `${loser.name} is not used here: ${winner || 'the price in the shop'} already gives this price.`
            : `${winner || 'The price in the shop'} is lower: ${format.price(total ?? 0)} instead of ${format.price(loser.total)} with ${loser.name}.`}
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

function Aside({ shown: { line, detail } }: { shown: ShownLine }) {
  async function wish() {
    const price = detail ? (detail.salePrice ?? detail.listPrice) : (line.discountPrice ?? line.price);
    const product = { id: line.id, name: line.name, listPrice: line.price, price, isItem: false };
    if (await changeWish(product, true)) await removeLines([line]);
  }
  return (
    <>
      <button
        type="button"
        className="line__action"
        aria-label={`Save for later: ${line.name}`}
        onClick={() => void saveForLater(line)}
      >
        <Icon name="bookmark" />
        Save for later
      </button>
      <button
        type="button"
        className="line__action"
        aria-label={`To wishlist: ${line.name}`}
        onClick={() => void wish()}
      >
        <Icon name="heart" />
        To wishlist
      </button>
    </>
  );
}

function Code({ shown }: { shown: ShownLine }) {
  const { learner } = useAuth();
  return <LineCode line={shown.line} code={shown.detail?.code ?? null} isSignedIn={learner !== null} />;
}
