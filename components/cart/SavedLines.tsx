import { useEffect, useState } from 'react';
import { getQuote, type QuotedLine, type ServerCart } from '../api/cart';
import type { Format } from '../format/format';
import type { CartLine } from '../model/cartLine';
import { Icon } from '../ui/Icon';
import { moveToCart, removeSaved } from './actions/cartChanges';
import { LineName, LinePicture } from './LineRow';

type SavedLinesProps = { lines: CartLine[]; server: ServerCart | null; format: Format };

/** Lines saved for later; no total counts them. */
export function SavedLines({ lines, server, format }: SavedLinesProps) {
  const details = useDetails(lines, server);
  if (lines.length === 0) return null;
  return (
    <section className="saved" aria-labelledby="saved-title">
      <h2 className="saved__title" id="saved-title">
        Saved for later
      </h2>
      <ul className="stack">
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
      <LinePicture item={{ detail }} />
      <div className="line__body">
        <LineName item={{ line, detail }} />
      </div>
      <p className="line__price">
        <strong className="line__total">{format.price(price)}</strong>
      </p>
      <div className="line__actions row">
        <button
          type="button"
          className="line__action hint"
          aria-label={`Move to cart: ${line.name}`}
          onClick={() => void moveToCart(line)}
        >
          <Icon name="cart" />
          Move to cart
        </button>
        <button
          type="button"
          className="line__action hint"
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

/** Pictures and prices: an account's come with its cart, a guest's are fetched. */
function useDetails(lines: CartLine[], server: ServerCart | null): Map<number, QuotedLine> {
  const [fetched, setFetched] = useState<QuotedLine[]>([]);
  const known = [...(server?.saved ?? []), ...fetched];
  const missing = lines.filter((line) => !known.some(({ id }) => id === line.id)).map(({ id }) => id);
  const missingIds = server ? missing.join() : '';
  useEffect(() => {
    if (!missingIds) return;
    const ids = missingIds.split(',').map(Number);
    // Without a response, the stored names and prices stay.
    getQuote(ids.map((id) => ({ id, quantity: 1 })))
      .then((quote) => setFetched((previous) => [...previous, ...quote.lines]))
      .catch(() => undefined);
  }, [missingIds]);
  return new Map(known.map((line) => [line.id, line]));
}
