import type { Step } from '../api/cartQuote';
import type { Format } from '../ui/format';
import type { ShownLine } from './shownCart';

type PriceTrailProps = { shown: ShownLine; format: Format };

/** How a line's price came about, step by step. */
export function PriceTrail({ shown: { steps, line }, format }: PriceTrailProps) {
  const last = steps.at(-1);
  if (!last) return null;
  return (
    <details className="trail">
      <summary className="trail__question">
        Why this price?<span className="sr-only">{` ${line.name}`}</span>
      </summary>
      <dl className="trail__steps">
        {steps.map((step) => (
          <div className="trail__step" key={step.step + step.name}>
            <dt>{labelOf(step, line.quantity)}</dt>
            <dd>{step.step === 'list' ? format.money(step.total) : signed(step.change, format)}</dd>
          </div>
        ))}
        <div className="trail__step trail__step--sum">
          <dt>You pay</dt>
          <dd>{format.price(last.total)}</dd>
        </div>
      </dl>
    </details>
  );
}

function signed(change: number, format: Format): string {
  return change < 0 ? `−${format.money(-change)}` : `+${format.money(change)}`;
}

function labelOf({ step, name }: Step, quantity: number): string {
  const times = quantity > 1 ? `, ${quantity} times` : '';
  const labels = {
    list: `List price${times}`,
    sale: 'Sale',
    organisation: name,
    code: `Code ${name}`,
    coupon: `Coupon ${name}`,
    tax: 'Tax',
  };
  return labels[step];
}
