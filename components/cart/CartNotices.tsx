import { useAuth } from '../api/auth';
import type { PriceChange } from '../browser/storage/priceChangeStorage';
import { LOCAL_KEYS } from '../browser/storage/storageKeys';
import { isInMemory } from '../browser/storage/storedList';
import type { Format } from '../format/format';
import { isolated } from '../model/isolated';
import { Button } from '../ui/controls/Button';
import { Notice } from '../ui/Notice';
import { dismissPriceChanges, refetchQuote } from './actions/refetchQuote';
import { clearMergeReport, type MergeEntry, useMergeReport } from './store/mergeReport';
import type { QuoteState } from './store/quoteStore';

type CartNoticesProps = { quote: QuoteState; format: Format };

/** Changes of the cart that its owner did not make; each is shown until it is dismissed. */
export function CartNotices({ quote, format }: CartNoticesProps) {
  const merged = useMergeReport();
  const { learner } = useAuth();
  return (
    <div className="cart-notices" role="status">
      {!learner && isInMemory(LOCAL_KEYS.cart) && (
        <p className="hint">
          This browser stores nothing for this site. Your cart lasts until you close or reload this page.
        </p>
      )}
      {quote.problem !== null && (
        <Notice kind="warning" title="Prices could not be checked">
          <p>{`${quote.problem} These prices may be out of date.`}</p>
          <button type="button" className="button button--quiet" onClick={() => void refetchQuote()}>
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
            {`${isolated(name)}: ${format.price(to)}, was ${format.price(from)}. `}
            <span className={to < from ? 'change change--down' : 'change'}>
              {to < from ? `${format.money(from - to)} less` : `${format.money(to - from)} more`}
            </span>
          </li>
        ))}
      </ul>
      <Dismiss onClick={() => void dismissPriceChanges()} />
    </Notice>
  );
}

const OUTCOMES = {
  added: 'was added to your cart',
  kept: 'was in your cart already',
  refused: 'could not be added',
};

export function MergeReport({ entries }: { entries: MergeEntry[] }) {
  return (
    <Notice title="What you chose before signing in">
      <ul className="cart-notices__list">
        {entries.map(({ id, name, outcome, message }) => (
          <li key={id}>{`${isolated(name)} ${OUTCOMES[outcome]}${message ? `: ${message}` : '.'}`}</li>
        ))}
      </ul>
      <Dismiss onClick={clearMergeReport} />
    </Notice>
  );
}

/** Also on pages without the styles of the cart. */
function Dismiss({ onClick }: { onClick: () => void }) {
  return (
    <div>
      <Button variant="quiet" onClick={onClick}>
        Dismiss
      </Button>
    </div>
  );
}
