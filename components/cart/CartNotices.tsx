import type { PriceChange } from '../browser/keptChanges';
import type { Format } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { forgetMerge, type MergeEntry, useMergeReport } from './mergeReport';
import { askForPrices, forgetChanges, type QuoteState } from './quoteStore';

type CartNoticesProps = { quote: QuoteState; format: Format };

/** What happened to the cart without its owner's doing; each stays until it was read and put away. */
export function CartNotices({ quote, format }: CartNoticesProps) {
  const merged = useMergeReport();
  return (
    <div className="cart-notices" role="status">
      {quote.problem !== null && (
        <Notice kind="warning" title="Prices could not be checked">
          <p>{`${quote.problem} What you see is what was known last.`}</p>
          <button type="button" className="button button--quiet" onClick={() => void askForPrices()}>
            Check again
          </button>
        </Notice>
      )}
      {quote.changes.length > 0 && <PriceChanges changes={quote.changes} format={format} />}
      {merged.length > 0 && <MergeReport entries={merged} />}
    </div>
  );
}

export function PriceChanges({ changes, format }: { changes: PriceChange[]; format: Format }) {
  return (
    <Notice title={changes.length === 1 ? 'A price has changed' : 'Prices have changed'}>
      <ul className="cart-notices__list">
        {changes.map(({ id, name, from, to }) => (
          <li key={id}>
            {`${name}: ${format.price(to)}, was ${format.price(from)}. `}
            <span className={to < from ? 'change change--down' : 'change'}>
              {to < from ? `${format.money(from - to)} less` : `${format.money(to - from)} more`}
            </span>
          </li>
        ))}
      </ul>
      <Dismiss onClick={() => void forgetChanges()} />
    </Notice>
  );
}

const OUTCOMES = { added: 'joined your cart', kept: 'was in your cart already', refused: 'was left out' };

export function MergeReport({ entries }: { entries: MergeEntry[] }) {
  return (
    <Notice title="What you chose before signing in">
      <ul className="cart-notices__list">
        {entries.map(({ id, name, outcome, message }) => (
          <li key={id}>{`${name} ${OUTCOMES[outcome]}${message ? `: ${message}` : '.'}`}</li>
        ))}
      </ul>
      <Dismiss onClick={forgetMerge} />
    </Notice>
  );
}

function Dismiss({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="line__action" onClick={onClick}>
      <Icon name="check" />
      Got it
    </button>
  );
}
