import type { CheckoutDifference } from '../contracts/schema';
import type { Format } from '../format/format';
import { Button } from '../ui/controls/Button';

type DifferencesProps = {
  differences: readonly CheckoutDifference[];
  format: Format;
  isBusy: boolean;
};

/** What costs another amount than was shown, old and new: nothing was charged, and one press agrees. */
export function Differences({ differences, format, isBusy }: DifferencesProps) {
  return (
    <section
      className="checkout__message checkout__message--changed"
      aria-labelledby="differences-title"
      id="differences"
      tabIndex={-1}
    >
      <h2 id="differences-title">Prices have changed since you saw them</h2>
      <p>Nothing was ordered and nothing was charged. This is what is different now:</p>
      <ul>
        {differences.map((difference) => (
          <DifferenceRow
            key={`${difference.part} ${difference.productId}`}
            difference={difference}
            format={format}
          />
        ))}
      </ul>
      <p className="checkout__message-actions row">
        <Button variant="accent" isBusy={isBusy} busyText="Ordering…" name="do" value="pay">
          Order at these prices
        </Button>
        <a href="/cart">Change your cart</a>
      </p>
    </section>
  );
}

type DifferenceRowProps = { difference: CheckoutDifference; format: Format };

function DifferenceRow({ difference, format }: DifferenceRowProps) {
  const { part, name, beforeMinor: before, afterMinor: after, reason } = difference;
  return (
    <li className={part === 'total' ? 'difference difference--total' : 'difference'}>
      <span>{name || 'An item that is no longer in your cart'}</span>
      <span className="difference__amounts">
        {before !== null && (
          <>
            <span className="sr-only">was </span>
            <s>{format.money(before)}</s> <span aria-hidden="true">→</span>{' '}
          </>
        )}
        <span className="sr-only">now </span>
        <strong>{after === null ? 'not ordered' : format.money(after)}</strong>
      </span>
      <span className="difference__reason hint">{reason || stepText(difference)}</span>
    </li>
  );
}

/** What makes the price now. */
export function stepText({ part, beforeMinor, afterMinor, step }: CheckoutDifference): string {
  if (part !== 'line') return '';
  if (afterMinor === null) return 'It is no longer in your cart, or no longer sold.';
  if (beforeMinor === null) return 'It was added to your cart meanwhile.';
  const texts: Record<string, string> = {
    list: 'This is its list price now.',
    sale: 'This is its sale price now.',
    organisation: 'This is the price of your organisation now.',
    code: 'This is its price with the code now.',
    coupon: 'This is its price with the coupon now.',
  };
  return texts[step] ?? '';
}
