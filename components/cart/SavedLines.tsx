import { useEffect, useState } from 'react';
import { getQuote, type QuotedLine, type ServerCart } from '../api/cartCalls';
import type { CartLine } from '../api/cartLines';
import type { Format } from '../ui/format';
import { Icon } from '../ui/Icon';
import { moveToCart, removeSaved } from './cartChanges';
import { LineName, LinePicture } from './LineRow';

type SavedLinesProps = { lines: CartLine[]; server: ServerCart | null; format: Format };

/** Out of the cart, but not forgotten: counted in no total. */
export function SavedLines({ lines, server, format }: SavedLinesProps) {
  const details = useDetails(lines, server);
  if (lines.length === 0) return null;
  return (
    <section className="saved" aria-labelledby="saved-title">
      <h2 className="saved__title" id="saved-title">
        Saved for later
      </h2>
      <ul className="lines">
        {lines.map((line) => (
          <SavedLine key={line.id} line={line} detail={details.get(line.id) ?? null} format={format} />
        ))}
      </ul>
    </section>
  );
}

type SavedLineProps = { line: CartLine; detail: QuotedLine | null; format: Format };

function SavedLine({ line, detail, format }: SavedLineProps) {
  const price = detail ? (detail.salePrice ?? detail.listPrice) : (line.discountPrice ?? line.price);
  return (
    <li className="line">
      <LinePicture shown={{ detail }} />
      <div className="line__body">
        <LineName shown={{ line, detail }} />
      </div>
      <p className="line__price">
        <strong className="line__total">{format.price(price)}</strong>
      </p>
      <div className="line__actions">
        <button
          type="button"
          className="line__action"
          aria-label={`Move to cart: ${line.name}`}
          onClick={() => void moveToCart(line)}
        >
          <Icon name="cart" />
          Move to cart
        </button>
        <button
          type="button"
          className="line__action"
          aria-label={`Remove ${line.name}`}
          onClick={() => void removeSaved(line)}
        >
          <Icon name="trash" />
          Remove
        </button>
      </div>
    </li>
  );
}

/** Pictures and prices: an account's come with its cart, a guest's are asked for. */
function useDetails(lines: CartLine[], server: ServerCart | null): Map<number, QuotedLine> {
  const [asked, setAsked] = useState<QuotedLine[]>([]);
  const known = [...(server?.saved ?? []), ...asked];
  const unknown = lines.filter((line) => !known.some(({ id }) => id === line.id)).map(({ id }) => id);
  const wanted = server ? unknown.join() : '';
  useEffect(() => {
    if (!wanted) return;
    const ids = wanted.split(',').map(Number);
    // Without an answer the names stay, and what was known of the prices.
    getQuote(ids.map((id) => ({ id, quantity: 1 })))
      .then((found) => setAsked((before) => [...before, ...found.lines]))
      .catch(() => undefined);
  }, [wanted]);
  return new Map(known.map((line) => [line.id, line]));
}
